"""REMEMBER: the stored baseline, its file format and its stores."""
