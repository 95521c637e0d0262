"""The command line: parse, call wiring, return the exit code."""
