"""WHAT to test: the suite and its cases, and one reader per file format."""
