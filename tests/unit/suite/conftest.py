"""Workbooks under construction."""

import openpyxl
import pytest

from ragjudge.errors import SuiteFault
from ragjudge.suite import load


@pytest.fixture
def book(tmp_path):
    """A workbook under construction; `load()` saves and reads it, `told()` gives the faults."""
    return Book(tmp_path)


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
