"""Where stores lie, what makes one valid, and that none is ever half there."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from build import TraceBuilder, torch_profile
from child import child
from conftest import Ingest

from npuview.ingest.cache import cache_root, store_path
from npuview.ingest.errors import Interrupted, StoreError, UnsafeStore, UnsupportedProfile
from npuview.ingest.pipeline import open_store
from npuview.ingest.schema import TABLES
from npuview.ingest.store import (
    IN_USE,
    RankEntry,
    RankManifest,
    Store,
    StoreManifest,
    is_store,
    read_manifest,
    write_manifest,
)


def small_profile(folder: Path, rank: int = 0, name: str = "Add") -> Path:
    profile = torch_profile(folder, rank=rank)
    profile.trace.step(1, 0, 1000)
    profile.trace.kernel(name, 100, 50)
    return profile.write()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"NPUVIEW_CACHE_DIR": "/a", "XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/a"),
        ({"XDG_CACHE_HOME": "/b", "HOME": "/c"}, "/b/npuview"),
        ({"HOME": "/c"}, "/c/.cache/npuview"),
    ],
)
def test_the_cache_lies_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    for name in ("NPUVIEW_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert cache_root() == Path(expected)
    assert cache_root(Path("/given")) == Path("/given")


def test_a_second_open_parses_nothing(tmp_path: Path, ingest: Ingest) -> None:
    path = small_profile(tmp_path)
    first = ingest(path)
    stamps = {file: file.stat().st_mtime_ns for file in first.store.path.rglob("*.*")}
    used = stamps.pop(first.store.path / IN_USE)
    second = ingest(path)
    assert (first.opened.built, second.opened.built) == (True, False)
    again = {file: file.stat().st_mtime_ns for file in second.store.path.rglob("*.*")}
    assert again.pop(second.store.path / IN_USE) > used
    assert again == stamps


def test_a_second_open_needs_neither_arrow_nor_duckdb(
    tmp_path: Path, ingest: Ingest, cache: Path
) -> None:
    path = small_profile(tmp_path)
    ingest(path)
    program = (
        "import sys; from pathlib import Path; from npuview.ingest.pipeline import open_store;"
        "opened = open_store(Path(sys.argv[1]), cache_dir=Path(sys.argv[2]));"
        "print(opened.built, {'pyarrow', 'duckdb', 'orjson', 'textual'} & set(sys.modules))"
    )
    said = subprocess.run(
        [sys.executable, "-c", program, str(path), str(cache)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == "False set()\n"


def test_nothing_is_written_into_the_profile(tmp_path: Path, ingest: Ingest) -> None:
    path = small_profile(tmp_path)
    before = {file: file.stat().st_mtime_ns for file in (path, *path.rglob("*"))}
    ingest(path)
    assert {file: file.stat().st_mtime_ns for file in (path, *path.rglob("*"))} == before


def test_the_store_is_private_and_holds_every_table(tmp_path: Path, ingest: Ingest) -> None:
    store = ingest(small_profile(tmp_path)).store
    [rank] = store.ranks
    assert {file.stat().st_mode & 0o777 for file in rank.path.iterdir()} == {0o600}
    assert {p.stat().st_mode & 0o777 for p in (store.path, rank.path)} == {0o700}
    assert set(TABLES) <= set(rank.tables)
    for name, table in TABLES.items():
        assert rank.parquet(name).is_file()
        assert table.columns
    assert rank.verify() == []


def test_tables_have_the_documented_columns_in_both_forms(tmp_path: Path, ingest: Ingest) -> None:
    store = ingest(small_profile(tmp_path))
    for table in TABLES.values():
        columns = [(column.name, column.type) for column in table.columns]
        path = store.store.ranks[0].parquet(table.name)
        described = store.rows(f"DESCRIBE FROM read_parquet('{path}', hive_partitioning=false)")
        assert [(row[0], row[1]) for row in described] == columns, table.name
        if table.indexed:
            described = store.rows(f'DESCRIBE "{table.name}"')
            assert [(row[0], row[1]) for row in described] == columns, table.name


def append(path: Path) -> None:
    file = path / "ASCEND_PROFILER_OUTPUT" / "trace_view.json"
    file.write_bytes(file.read_bytes() + b"\n")


def rewrite_with_kept_time(path: Path) -> None:
    file = path / "ASCEND_PROFILER_OUTPUT" / "trace_view.json"
    found = file.stat()
    file.write_bytes(file.read_bytes().replace(b"Add", b"Sub"))
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))


def add_table(path: Path) -> None:
    (path / "ASCEND_PROFILER_OUTPUT" / "op_statistic.csv").write_text(
        "OP Type,Core Type,Count\nAdd,AI_CORE,1\n"
    )


@pytest.mark.parametrize("change", [append, rewrite_with_kept_time, add_table])
def test_a_changed_source_is_read_again(
    tmp_path: Path, ingest: Ingest, change: Callable[[Path], None]
) -> None:
    path = small_profile(tmp_path)
    ingest(path)
    change(path)
    assert ingest(path).opened.built
    assert not ingest(path).opened.built


def test_only_the_changed_rank_is_built_again(tmp_path: Path, ingest: Ingest) -> None:
    for rank in range(3):
        small_profile(tmp_path / "job", rank=rank)
    first = ingest(tmp_path / "job").store
    kept = {rank.rank: rank.index.stat().st_ino for rank in first.ranks}
    [second] = [p for p in (tmp_path / "job").iterdir() if list(p.glob("profiler_info_1.json"))]
    append(second)
    again = ingest(tmp_path / "job").store
    inodes = {rank.rank: rank.index.stat().st_ino for rank in again.ranks}
    assert [rank for rank in inodes if inodes[rank] != kept[rank]] == [1]


@pytest.mark.parametrize("name", ["manifest.json", "slice.parquet", "index.duckdb"])
def test_a_damaged_store_is_built_again(tmp_path: Path, ingest: Ingest, name: str) -> None:
    path = small_profile(tmp_path)
    [rank] = ingest(path).store.ranks
    file = rank.path / name
    file.write_bytes(file.read_bytes()[:-7])
    assert ingest(path).opened.built
    assert ingest(path).one("SELECT count(*) FROM slice") == 2


def test_changed_bytes_are_found_by_verify(tmp_path: Path, ingest: Ingest) -> None:
    [rank] = ingest(small_profile(tmp_path)).store.ranks
    file = rank.parquet("slice")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert rank.verify() == [f"{file}: content differs from what was written"]


def test_a_store_opens_by_its_own_path(tmp_path: Path, ingest: Ingest) -> None:
    store = ingest(small_profile(tmp_path)).store
    assert is_store(store.path)
    assert not ingest(store.path).opened.built


@pytest.mark.parametrize("mode", [0o770, 0o707])
def test_a_store_that_others_may_write_is_not_opened(
    tmp_path: Path, ingest: Ingest, mode: int
) -> None:
    store = ingest(small_profile(tmp_path)).store
    store.path.chmod(mode)
    with pytest.raises(StoreError, match="chmod go-w"):
        Store.open(store.path)


def test_a_store_behind_a_link_is_not_opened(tmp_path: Path, ingest: Ingest) -> None:
    store = ingest(small_profile(tmp_path)).store
    link = tmp_path / "link"
    link.symlink_to(store.path)
    with pytest.raises(StoreError, match="symbolic link"):
        Store.open(link)


def test_a_manifest_cannot_lead_out_of_its_store(tmp_path: Path, ingest: Ingest) -> None:
    store = ingest(small_profile(tmp_path)).store
    manifest = store.path / "manifest.json"
    content = read_manifest(manifest, StoreManifest)
    for entry in ("1/rank=../../elsewhere", "../1/rank=0", "rank=0", "/1/rank=0"):
        ranks = (RankEntry(0, entry),)
        write_manifest(manifest, msgspec.structs.replace(content, ranks=ranks))
        with pytest.raises(StoreError, match="bad rank directory"):
            Store.open(store.path)


def test_a_manifest_that_somebody_edited_is_damaged(tmp_path: Path, ingest: Ingest) -> None:
    store = ingest(small_profile(tmp_path)).store
    manifest = store.ranks[0].path / "manifest.json"
    content = json.loads(manifest.read_text())
    content["tables"]["slice"] += 1
    manifest.write_text(json.dumps(content))
    with pytest.raises(StoreError, match="does not have the hash that it names"):
        Store.open(store.path)


def test_a_manifest_with_a_word_that_nobody_knows_is_damaged(
    tmp_path: Path, ingest: Ingest
) -> None:
    profile = torch_profile(tmp_path / "job")
    profile.trace.kernel("MatMul", 0, 10)
    store = ingest(profile.write()).store
    manifest = store.path / "manifest.json"
    # As one bit does it: what the word said is then its default, and the hash is right.
    manifest.write_text(manifest.read_text().replace('"selection"', '"relection"'))
    with pytest.raises(StoreError, match="relection"):
        Store.open(store.path)


def test_stopping_leaves_nothing_behind(tmp_path: Path, cache: Path) -> None:
    path = small_profile(tmp_path)
    stop = threading.Event()

    class StopAt:
        def stage(self, name: str, *, total_bytes: int | None = None) -> None:  # noqa: ARG002 # protocol
            if name.startswith("derive"):
                stop.set()

        def advance(self, bytes_: int) -> None: ...

    with pytest.raises(Interrupted):
        open_store(path, cache_dir=cache, progress=StopAt(), stop=stop)
    assert [p for p in store_path(cache, path).rglob("*") if p.is_file()] == []


def test_a_killed_ingest_leaves_no_half_store(tmp_path: Path, cache: Path, ingest: Ingest) -> None:
    trace = TraceBuilder()
    for number in range(3000):
        trace.kernel(f"k{number % 7}", number * 100, 50)
    path = trace.write(tmp_path / "trace_view.json")
    program = (
        "import sys; from pathlib import Path; from npuview.ingest.pipeline import open_store;"
        "print('go', flush=True); open_store(Path(sys.argv[1]), cache_dir=Path(sys.argv[2]))"
    )
    for delay in (0.02, 0.15, 0.3):
        with child(program, [str(path), str(cache)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
        target = store_path(cache, path)
        if is_store(target):
            [rank] = Store.open(target).ranks
            assert rank.verify() == []
    assert ingest(path).one("SELECT count(*) FROM slice") == 3000
    assert [p.name for p in store_path(cache, path).glob(".*")] == []


def test_a_path_without_a_profile_says_what_was_looked_for(tmp_path: Path, cache: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing here")
    with pytest.raises(UnsupportedProfile) as caught:
        open_store(tmp_path, cache_dir=cache)
    assert caught.value.exit_code == 2
    assert "trace_view.json" in str(caught.value)


def test_a_cache_that_cannot_be_made_names_the_option(tmp_path: Path) -> None:
    path = small_profile(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="--cache-dir"):
        open_store(path, cache_dir=tmp_path / "file" / "cache")


def test_a_link_in_the_place_of_a_store_is_neither_followed_nor_changed(
    tmp_path: Path, cache: Path
) -> None:
    path = small_profile(tmp_path)
    victim = tmp_path / "victim"
    (victim / "rank=7").mkdir(parents=True)
    (victim / "rank=7" / "data").write_text("precious")
    (victim / "manifest.json").write_text('{"mine": 1}')
    target = store_path(cache, path)
    cache.mkdir()
    target.symlink_to(victim)
    with pytest.raises(UnsafeStore, match="symbolic link"):
        open_store(path, cache_dir=cache)
    assert (victim / "rank=7" / "data").read_text() == "precious"
    assert sorted(file.name for file in victim.rglob("*")) == ["data", "manifest.json", "rank=7"]


@pytest.mark.parametrize("where", ["root", "store", "rank", "file"])
def test_nothing_is_built_or_used_where_others_may_write(
    tmp_path: Path, ingest: Ingest, cache: Path, where: str
) -> None:
    path = small_profile(tmp_path)
    store = ingest(path).store
    [rank] = store.ranks
    place = {"root": cache, "store": store.path, "rank": rank.path, "file": rank.index}[where]
    place.chmod(place.stat().st_mode | 0o022)
    if where == "root":
        append(path)
    with pytest.raises(UnsafeStore, match="chmod go-w"):
        open_store(path, cache_dir=cache)


def test_a_log_beside_the_index_is_not_replayed_into_it(tmp_path: Path, ingest: Ingest) -> None:
    store = ingest(small_profile(tmp_path)).store
    (store.ranks[0].path / "index.duckdb.wal").write_bytes(b"forged")
    with pytest.raises(StoreError, match="does not belong to the store"):
        Store.open(store.path)


@pytest.mark.parametrize("part", ["files", "tables"])
def test_a_manifest_that_lists_nothing_is_damaged(
    tmp_path: Path, ingest: Ingest, cache: Path, part: str
) -> None:
    path = small_profile(tmp_path)
    [rank] = ingest(path).store.ranks
    manifest = rank.path / "manifest.json"
    content = read_manifest(manifest, RankManifest)
    write_manifest(manifest, msgspec.structs.replace(content, **{part: {}}))
    with pytest.raises(StoreError, match="damaged"):
        Store.open(store_path(cache, path))
    assert ingest(path).opened.built


def test_a_pipe_called_manifest_is_not_waited_for(tmp_path: Path, ingest: Ingest) -> None:
    path = small_profile(tmp_path)
    os.mkfifo(path / "manifest.json")
    assert not is_store(path)
    assert ingest(path).opened.built


def test_names_that_are_no_utf8_are_shown_by_their_bytes(tmp_path: Path, ingest: Ingest) -> None:
    folder = tmp_path / os.fsdecode(b"gbk-\xd6\xd0")
    path = small_profile(folder)
    (path / "ASCEND_PROFILER_OUTPUT" / os.fsdecode(b"\xd6.db")).write_bytes(b"SQLite format 3\0")
    store = ingest(path)
    assert r"gbk-\xd6\xd0" in store.one("SELECT path FROM profile")
    assert store.one("SELECT count(*) FROM slice") == 2
