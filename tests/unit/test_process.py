"""How a process begins and goes on."""

import asyncio
import gc
import sys

import pytest

from ragjudge.process import collect_rarely, giving_way, import_aside, keep_what_is_there


@pytest.fixture(autouse=True)
def as_before():
    """The collector of the tests' own process."""
    usual = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*usual)


def test_while_importing_hardly_anything_is_collected():
    """And what was imported is never looked at again; from then on little at a time."""
    collect_rarely()
    while_importing = gc.get_threshold()[0]
    keep_what_is_there()

    assert gc.get_freeze_count() > 10_000
    assert while_importing > 10 * gc.get_threshold()[0]


def test_threads_give_way_only_for_a_while():
    """Whatever happens inside, and also where two do at once."""
    usual = sys.getswitchinterval()
    with pytest.raises(ZeroDivisionError), giving_way(), giving_way():
        assert sys.getswitchinterval() < usual
        raise ZeroDivisionError

    assert usual == pytest.approx(sys.getswitchinterval())


def test_what_is_not_there_can_be_imported_later_too():
    """Whoever needs the module says so, not whoever was early."""
    asyncio.run(import_aside("no_such_module_of_anybody"))
    asyncio.run(import_aside("colorsys"))

    assert "colorsys" in sys.modules
