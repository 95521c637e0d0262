"""WHAT to test: the suite and its cases, and one reader per file format."""

from ragjudge.suite.case import Case, Checks, Source, Suite, Turn
from ragjudge.suite.fitting import load_fitting, misfits
from ragjudge.suite.loading import capped, load, place_of
from ragjudge.suite.selecting import dealt, select
from ragjudge.suite.templates import render_inputs, template_problems
from ragjudge.suite.turns import every_turn, judged_turns

__all__ = [
    "Case",
    "Checks",
    "Source",
    "Suite",
    "Turn",
    "capped",
    "dealt",
    "every_turn",
    "judged_turns",
    "load",
    "load_fitting",
    "misfits",
    "place_of",
    "render_inputs",
    "select",
    "template_problems",
]
