"""ragjudge: regression tests for RAG chatbots built in Dify.

A map of the package, in the order of a run:
suite (what to test) and settings (how to run) → pipeline (the story, read first) → dify (asks the app)
→ metrics (how to grade) with judge (who grades) → results (what happened) → baseline (what was before)
→ compare (is it worse?) → report (says it) → publish and github (tell it) → exit_codes.
engine runs the questions side by side; ports holds the interfaces between them; wiring joins the real parts;
cli and action are the two front doors; demo is a whole Dify app on loopback to try it all with.
This module imports nothing.
"""

__version__ = "0.1.0"
