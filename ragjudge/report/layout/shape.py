"""How much of a report goes where: the same story at two sizes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """`text` is how many characters of a question, reference or answer a card shows; `open_cards` and `open_rows`
    are how many cards and rows may stand open; more of them go behind a fold.
    """

    text: int
    open_cards: int
    open_rows: int
    opens_everything: bool = False
    has_cards: bool = True
    keeps_line_ends: bool = False


COMMENT = Shape(text=100, open_cards=3, open_rows=12)
"""Read in ten seconds by the person who merges."""
BRIEF = Shape(text=60, open_cards=0, open_rows=30, has_cards=False)
"""Read at a terminal, beside the file."""
FILE = Shape(
    text=4000, open_cards=1_000_000, open_rows=1_000_000, opens_everything=True, keeps_line_ends=True
)
"""Read in full by the tester, or by an assistant that is asked for repairs."""
