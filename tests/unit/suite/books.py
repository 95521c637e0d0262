"""Workbooks for tests."""

import re
import zipfile

import openpyxl
import pytest

from ragjudge.errors import SuiteFault
from ragjudge.suite import load


class Book:
    def __init__(self, folder):
        self.workbook = openpyxl.Workbook()
        self.sheet = self.workbook.active
        self.sheet.title = "ケース"
        self.folder = folder

    def rows(self, *rows):
        for row in rows:
            self.sheet.append(list(row))
        return self

    def load(self, name="a.xlsx", **more):
        self.workbook.save(self.folder / "a.xlsx")
        return load([name], base_dir=self.folder, **more)

    def told(self, name="a.xlsx"):
        with pytest.raises(SuiteFault) as caught:
            self.load(name)
        return [problem.in_language("en") for problem in caught.value.problems]


def edit(path, member: str, old: str, new: str) -> None:
    """Change one part of a saved workbook, as Excel would have written it."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    text = parts[member].decode()
    changed = re.sub(old, new, text)
    assert changed != text
    parts[member] = changed.encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
