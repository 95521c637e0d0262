"""A real, small HTTP server on loopback that speaks Dify's service API for one app.

It shares no code with the client that asks it. What it says follows recordings of two Dify releases, and where
those differ, the chosen release (`versions`).
"""

from ragjudge.demo.server.options import ServerOptions
from ragjudge.demo.server.running import DemoServer

__all__ = ["DemoServer", "ServerOptions"]
