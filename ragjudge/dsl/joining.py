"""Edits that only make sense together become one."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from ragjudge.dsl.edits import Edit
from ragjudge.language import Text


@dataclass(frozen=True, slots=True)
class Piece:
    """One edit under a key. `needs` are keys of edits that it cannot stand without (those that there are none of are
    passed over). `name`: what a reader calls it; None where another piece of its group says enough.
    """

    key: Hashable
    edit: Edit
    name: Text | None = None
    needs: tuple[Hashable, ...] = field(default=())


def joined(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Groups of pieces that need each other, in order of their first piece."""
    found = list(pieces)
    leader: dict[Hashable, Hashable] = {piece.key: piece.key for piece in found}

    def lead(key: Hashable) -> Hashable:
        while leader[key] != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    for piece in found:
        for need in piece.needs:
            if need in leader:
                leader[lead(need)] = lead(piece.key)
    groups: dict[Hashable, list[Piece]] = {}
    for piece in found:
        groups.setdefault(lead(piece.key), []).append(piece)
    return list(groups.values())
