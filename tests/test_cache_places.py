"""Where a store goes when its place is full or closed, and what is said of it."""

import errno
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from build import torch_profile

from npuview.ingest import cache, pipeline, publish
from npuview.ingest.discover import find_profiles
from npuview.ingest.errors import ClosedPlace, IngestError, NoRoom, StoreError, UnsafeStore
from npuview.ingest.pipeline import Keeping, open_store
from npuview.ingest.space import room_at, room_needed, says_full
from npuview.ingest.store import Store


def small_profile(folder: Path) -> Path:
    profile = torch_profile(folder, rank=0)
    profile.trace.kernel("Add", 100, 50)
    return profile.write()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home of the test's own, in which nobody chose a place for stores."""
    for name in ("NPUVIEW_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    return tmp_path / "home"


def full(monkeypatch: pytest.MonkeyPatch, *places: Path) -> None:
    """Let file systems have no room at some places."""

    def free(place: Path) -> int:
        return 0 if any(place.is_relative_to(one) for one in places) else 1 << 40

    monkeypatch.setattr(pipeline, "room_at", free)


def test_a_full_place_is_passed_over_for_the_next_with_a_word(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = small_profile(tmp_path)
    full(monkeypatch, home)
    said: list[str] = []
    opened = open_store(path, keeping=Keeping(said.append))
    assert opened.store.path.parent == tmp_path / "tmp" / f"npuview-{os.geteuid()}"
    [word] = said
    assert f"{home}/.cache/npuview: no space for this store" in word
    assert "0 bytes are free" in word
    assert "--cache-dir" in word
    assert str(opened.store.path.parent) in word
    # It is found there the next time, also when the first place has room again.
    monkeypatch.undo()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    assert not open_store(path).built


def test_when_every_place_is_full_the_store_passes_with_the_process(
    home: Path, tmp_path: Path
) -> None:
    path = small_profile(tmp_path)
    program = (
        "import sys; from pathlib import Path; from npuview.ingest import pipeline\n"
        "pipeline.room_at = lambda place: 1 << 40 if 'passing' in str(place) else 0\n"
        "said = []; keeping = pipeline.Keeping(said.append)\n"
        "opened = pipeline.open_store(Path(sys.argv[1]), keeping=keeping)\n"
        "print(opened.store.path.is_dir(), opened.store.path, said[-1], sep='|')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )
    there, place, word = ran.stdout.split("|")
    assert there == "True"
    assert "is removed at the end" in word
    assert not Path(place).exists()
    assert [one.name for one in (tmp_path / "tmp").iterdir()] == [f"npuview-{os.geteuid()}"]
    assert home.parent == tmp_path


def test_what_a_killed_process_left_among_temporary_files_is_removed_by_the_next(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert home.parent == tmp_path
    held: list[object] = []
    monkeypatch.setattr("atexit.register", lambda *words: held.append(words))
    first = cache.passing_root()
    second = cache.passing_root()
    assert first.is_dir()
    assert second.is_dir()
    held.clear()
    third = cache.passing_root()
    assert [one.exists() for one in (first, second, third)] == [False, False, True]


def test_who_makes_a_store_to_have_it_is_told_instead(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full(monkeypatch, home, tmp_path / "tmp")
    with pytest.raises(NoRoom, match="no space for this store, which takes about"):
        open_store(small_profile(tmp_path), keeping=Keeping(lasting=True))
    assert not list((home / ".cache" / "npuview").iterdir())


def test_a_closed_home_is_passed_over_and_a_closed_place_that_was_chosen_is_not(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = small_profile(tmp_path)
    real = publish.make_private

    def make(place: Path) -> None:
        if place.is_relative_to(home):
            raise OSError(errno.EROFS, "Read-only file system", str(place))
        real(place)

    monkeypatch.setattr(publish, "make_private", make)
    said: list[str] = []
    assert open_store(path, keeping=Keeping(said.append)).store.path.is_relative_to(tmp_path)
    assert "Read-only file system" in said[0]
    with pytest.raises(ClosedPlace, match="Read-only file system; choose another place"):
        open_store(path, cache_dir=home / "mine")


def test_a_place_among_temporary_files_that_somebody_else_took_is_passed_over(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = small_profile(tmp_path)
    taken = tmp_path / "tmp" / f"npuview-{os.geteuid()}"
    cache.store_path(taken, path).mkdir(parents=True)
    for place in (taken, cache.store_path(taken, path)):
        place.chmod(0o777)
    assert open_store(path).store.path.is_relative_to(home)
    full(monkeypatch, home / ".cache")
    said: list[str] = []
    opened = open_store(path, force=True, keeping=Keeping(said.append))
    assert opened.store.path.parent.name.startswith("npuview-passing-")
    assert "others may write to it" in said[-1]
    (home / ".cache" / "npuview").chmod(0o777)
    with pytest.raises(UnsafeStore):
        open_store(path, force=True)


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_shows_through_the_errors_that_it_causes(error: int) -> None:
    outer = IngestError("while writing")
    outer.__cause__ = IngestError("IO Error")
    outer.__cause__.__cause__ = OSError(error, os.strerror(error))
    assert says_full(outer)
    assert says_full(IngestError(f'Could not write file "x": {os.strerror(error)}'))
    assert not says_full(IngestError("Input/output error"))
    assert not says_full(OSError(errno.EIO, "Input/output error"))


def test_room_is_that_of_the_nearest_place_that_is_there(tmp_path: Path) -> None:
    # Others write meanwhile, so the two are not the same.
    assert room_at(tmp_path / "a" / "b") == pytest.approx(room_at(tmp_path), rel=0.1)


def test_a_packed_timeline_needs_the_room_of_what_is_in_it(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.json", "b.json.gz")]
    for file in files:
        file.write_bytes(bytes(4_000))
    [profile] = find_profiles(small_profile(tmp_path))
    plain, packed = (replace(profile, files=(file,)) for file in files)
    assert room_needed([packed]) == 10 * room_needed([plain])
    assert room_needed([plain]) < room_needed([plain, plain]) < 2 * room_needed([plain])


def test_everything_is_private_from_the_first_moment(tmp_path: Path) -> None:
    path = small_profile(tmp_path)
    seen: set[tuple[str, int]] = set()

    class Look:
        def stage(self, name: str, *, total_bytes: int | None = None) -> None:  # noqa: ARG002 # protocol
            for file in (tmp_path / "cache").rglob("*"):
                seen.add((file.suffix, stat.S_IMODE(file.stat().st_mode) & 0o077))

        def advance(self, bytes_: int) -> None: ...

    before = os.umask(0o000)
    try:
        open_store(path, cache_dir=tmp_path / "cache", progress=Look())
        assert os.umask(0o000) == 0o000
    finally:
        os.umask(before)
    assert {suffix for suffix, _ in seen} >= {".parquet", ".lock"}
    assert {mode for _, mode in seen} == {0}


def test_without_locks_a_store_is_built_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(handle: int, operation: int) -> None:  # noqa: ARG001 # as flock
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    path = small_profile(tmp_path)
    first = open_store(path, cache_dir=tmp_path / "cache").store
    with publish.construction(first.path) as other:
        # Somebody else who builds there is not disturbed.
        theirs = other.begin(0)
        (theirs / "slice.parquet").touch()
        assert open_store(path, cache_dir=tmp_path / "cache", force=True).built
        assert theirs.is_dir()
    assert Store.open(first.path).ranks[0].path.parent.name == "2"
    assert first.ranks[0].index.is_file()
    with pytest.raises(StoreError, match="may be in use"):
        cache.remove_store(first.path, patient=True)
