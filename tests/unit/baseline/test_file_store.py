import os
import stat
from pathlib import Path

import pytest

from ragjudge.baseline.file_store import FileStore, write_whole
from ragjudge.errors import StoredFileFault
from ragjudge.results.baseline import Baseline
from tests.builders import NOON, scored_run

BASELINE = Baseline(run=scored_run({"a": [5]}), stored_at=NOON)


def test_no_file_is_no_baseline(tmp_path):
    assert FileStore(tmp_path / "b.json").load() is None


def test_what_was_saved_is_loaded(tmp_path):
    store = FileStore(tmp_path / "deep" / "b.json")
    store.change(lambda _: BASELINE)

    assert BASELINE == store.load()


def test_an_empty_file_is_an_error_and_not_no_baseline(tmp_path):
    """A file cut by a full disk must not make the check green."""
    (tmp_path / "b.json").touch()

    with pytest.raises(StoredFileFault):
        FileStore(tmp_path / "b.json").load()


def test_a_folder_in_its_place_is_an_error(tmp_path):
    with pytest.raises(StoredFileFault, match="cannot be read"):
        FileStore(tmp_path).load()
    with pytest.raises(StoredFileFault, match="cannot be read"):
        FileStore(tmp_path).change(lambda _: BASELINE)


def test_a_place_where_nothing_can_be_written_is_an_error():
    with pytest.raises(StoredFileFault, match="cannot be written"):
        FileStore(Path("/proc/no-such-folder/baseline.json")).change(lambda _: BASELINE)


def test_a_write_that_fails_leaves_the_old_content_and_no_litter(tmp_path):
    path = tmp_path / "b.json"
    path.write_bytes(b"old")

    with pytest.raises(TypeError):
        write_whole(path, "not bytes")
    assert (b"old", ["b.json"]) == (path.read_bytes(), [p.name for p in tmp_path.iterdir()])


def test_a_link_is_followed_and_rights_are_kept(tmp_path):
    """A team may share one baseline file between folders."""
    real = tmp_path / "real.json"
    real.write_bytes(b"old")
    real.chmod(0o664)
    link = tmp_path / "link.json"
    link.symlink_to(real)
    write_whole(link, b"new")

    assert (b"new", True) == (real.read_bytes(), link.is_symlink())
    assert 0o664 == stat.S_IMODE(real.stat().st_mode)


def test_what_a_killed_writer_left_is_removed_later(tmp_path):
    """But not the half-written file of a writer that may still be at work."""
    old, young = tmp_path / ".b.json.abc.part", tmp_path / ".b.json.def.part"
    for left in (old, young):
        left.write_bytes(b"half")
    now = young.stat().st_mtime
    os.utime(old, (now - 7200, now - 7200))
    write_whole(tmp_path / "b.json", b"new")

    assert [".b.json.def.part", "b.json"] == sorted(p.name for p in tmp_path.iterdir())
