"""Forwards connections from one address of this machine to a port on its loopback: HOST PORT TO_PORT."""

import asyncio
import sys


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def main(host: str, port: int, to_port: int) -> None:
    """Serves until it is stopped."""

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", to_port)
        await asyncio.gather(_pump(reader, there[1]), _pump(there[0], writer))

    server = await asyncio.start_server(forward, host, port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
