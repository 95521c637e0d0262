"""WHAT happened: answers, outcomes, case results, the record of a run, and the stored baseline.

`RunResult` is the spine: `run` writes it, everything after reads it.
"""
