"""What the tests of suites share."""

import pytest

from tests.unit.suite.books import Book


@pytest.fixture
def book(tmp_path):
    """A workbook under construction; `load()` saves and reads it, `told()` gives the faults."""
    return Book(tmp_path)
