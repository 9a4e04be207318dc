"""Files that are cut, packed, growing or no files at all: what is there is read."""

import gzip
import os
import random
import zipfile
import zlib
from pathlib import Path

import pytest
from build import TraceBuilder
from conftest import Ingest
from kept_rows import kept
from splitter import WholeSlice, whole_slices

from npuview.ingest.errors import IngestError
from npuview.ingest.notice import ImportLog
from npuview.ingest.read import source
from npuview.ingest.read.source import TimelineSource


def trace_of_4_kb() -> bytes:
    """Return a trace with everything that a cut may fall into."""
    trace = TraceBuilder()
    for number in range(5):
        kernel = trace.kernel(f'Mat"Mul\\{number}算', ts=number * 100, dur=50, connection_id=number)
        trace.launch(kernel, ts=f"0.{number:03}", dur="0.25")
    trace.counter("HBM 0/Read", ts=5, values={"Read(MB/s)": 1.5, "s": "}]{[,"})
    return trace.text(envelope="object").encode()[:4096]


@pytest.mark.parametrize(
    ("packed", "every"), [(False, 5), (True, 1), pytest.param(False, 1, marks=pytest.mark.slow)]
)
def test_a_file_cut_at_any_byte_keeps_every_complete_event(
    tmp_path: Path, packed: bool, every: int
) -> None:
    text = trace_of_4_kb()
    whole = gzip.compress(text, mtime=0) if packed else text
    path = tmp_path / "t.json"
    for cut in range(2, len(whole), every):
        path.write_bytes(whole[:cut])
        left = whole[:cut]
        if packed:
            left = zlib.decompressobj(31).decompress(left)
        found = kept(path)
        assert found.in_order == whole_slices(left), cut
        lost = [one for one in found.notices.values() if one.severity == "data_loss"]
        assert bool(lost) or not packed, cut


def test_every_byte_before_damage_in_a_packed_file_is_unpacked(tmp_path: Path) -> None:
    chance = random.Random(3)  # noqa: S311 # made up the same every time
    text = b"".join(b"%x," % chance.getrandbits(64) for _ in range(20_000))
    whole = gzip.compress(text)
    path = tmp_path / "t.gz"
    for at in range(1000, len(whole), len(whole) // 40):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        log = ImportLog()
        unpacked = b"".join(TimelineSource(path, path.name, log).chunks())
        intact = zlib.decompressobj(31).decompress(whole[:at])
        # The last codes before the damage may need the damaged byte.
        assert unpacked.startswith(intact[:-64])
        assert [one.name for one in log] == ["archive_damaged"]


@pytest.mark.parametrize("between", [b"", b"\0" * 100_000])
def test_packed_members_one_after_the_other_are_one_file(tmp_path: Path, between: bytes) -> None:
    text = trace_of_4_kb()
    path = tmp_path / "t.json.gz"
    parts = [gzip.compress(text[at : at + 700]) for at in range(0, len(text), 700)]
    path.write_bytes(gzip.compress(b"") + between.join(parts) + b"\0" * 10)
    found = kept(path)
    assert found.in_order == whole_slices(text)


@pytest.mark.parametrize("kind", ["gz", "zip"])
def test_unpacking_stops_beyond_both_a_size_and_a_ratio(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    text = b"[" + b",".join([b'{"ph":"X","name":"a","ts":1}'] * 100_000) + b"]"
    path = tmp_path / "t"
    if kind == "gz":
        path.write_bytes(gzip.compress(text))
    else:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("trace.json", text)
    ratio = len(text) // path.stat().st_size

    def unpacked() -> tuple[int, list[str]]:
        log = ImportLog()
        chunks = TimelineSource(path, path.name, log).chunks()
        return sum(map(len, chunks)), [one.name for one in log]

    monkeypatch.setattr(source, "MOST_UNPACKED_BYTES", 1 << 20)
    assert ratio > 100
    monkeypatch.setattr(source, "MOST_UNPACKED_RATIO", ratio * 2)
    assert unpacked() == (len(text), [])
    monkeypatch.setattr(source, "MOST_UNPACKED_RATIO", 10)
    size, names = unpacked()
    assert size <= 1 << 20
    assert names == ["unpacks_too_far"]
    monkeypatch.setattr(source, "MOST_UNPACKED_BYTES", 1 << 30)
    assert unpacked() == (len(text), [])


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_that_grows_is_read_as_long_as_it_was_and_that_is_told(
    tmp_path: Path, packed: bool
) -> None:
    path = tmp_path / "t.json"
    text = os.urandom(1 << 20).hex().encode()
    content = gzip.compress(text) if packed else text
    path.write_bytes(content)
    log = ImportLog()
    chunks = TimelineSource(path, path.name, log).chunks(1 << 10)
    read = [next(chunks)]
    with path.open("ab") as file:
        file.write(content)
    read += chunks
    assert b"".join(read) == text
    [noticed] = log
    assert (noticed.name, noticed.severity, noticed.first_offset) == (
        "source_changing", "data_loss", len(content),
    )  # fmt: skip


def test_a_file_that_shrinks_is_read_to_its_end_and_that_is_told(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(b"x" * (1 << 20))
    log = ImportLog()
    chunks = TimelineSource(path, path.name, log).chunks(1 << 10)
    assert next(chunks) == b"x" * (1 << 10)
    os.truncate(path, 1 << 19)
    assert sum(map(len, chunks)) == (1 << 19) - (1 << 10)
    assert [one.name for one in log] == ["source_changing"]


@pytest.mark.parametrize("kind", ["pipe", "device", "loop", "folder", "zip"])
def test_what_is_no_file_that_can_be_read_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "trace_view.json"
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "device":
            path = Path("/dev/zero")
        case "loop":
            path.symlink_to(path)
        case "folder":
            path.mkdir()
        case _:
            path.write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(IngestError, match=str(path)):
        kept(path)


def test_bad_places_among_ranks_cost_themselves(tmp_path: Path, ingest: Ingest) -> None:
    good = TraceBuilder()
    good.kernel("Add", ts=0, dur=500)
    good.write(tmp_path / "a" / "trace_view.json")
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe" / "trace_view.json")
    (tmp_path / "loop").mkdir()
    (tmp_path / "loop" / "trace_view.json").symlink_to("trace_view.json")
    (tmp_path / "up").symlink_to(tmp_path)
    (tmp_path / "gz").mkdir()
    (tmp_path / "gz" / "trace_view.json.gz").write_bytes(b"\x1f\x8b\x08\x00no gzip at all")
    store = ingest(tmp_path)
    assert len(store.store.ranks) == 1
    assert store.one("SELECT count(*) FROM slice") == 1
    errors = "SELECT file FROM import_stat WHERE severity = 'error' ORDER BY file"
    assert store.rows(errors) == [
        ("gz/trace_view.json.gz",), ("loop/trace_view.json",), ("pipe/trace_view.json",),
    ]  # fmt: skip


def test_a_bomb_of_blanks_is_not_unpacked_to_find_out_what_it_is(
    tmp_path: Path, ingest: Ingest
) -> None:
    good = TraceBuilder()
    good.kernel("Add", ts=0, dur=500)
    good.write(tmp_path / "trace_view.json")
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    blanks = b" " * (1 << 20)
    bomb = b"".join(packer.compress(blanks) for _ in range(300)) + packer.flush()
    (tmp_path / "other.json.gz").write_bytes(bomb)
    assert ingest(tmp_path).one("SELECT count(*) FROM slice") == 1


def test_the_splitter_finds_what_is_plain_to_see() -> None:
    text = b'[{"ph":"X","ts":"1.0","dur":2},{"ph":"X","ts":2,"du{"ph":"X","ts":"3e0"},{"ph":"M"}]'
    assert whole_slices(text) == [WholeSlice(1000, 2000), WholeSlice(3000, 0)]
