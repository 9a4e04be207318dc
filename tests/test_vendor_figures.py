"""The vendor's own figures of collectives and links: what is read, and what is counted as lost."""

import gzip
import json
import random
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import pytest
from build import msprof_profile, torch_profile
from conftest import Ingest, Ingested
from hypothesis import given
from hypothesis import strategies as st

from npuview.ingest.notice import ImportLog
from npuview.ingest.read import communication_files
from npuview.ingest.read.communication_files import read_collective_figures, read_link_figures

OUTPUT = "ASCEND_PROFILER_OUTPUT"
NAME = "hcom_allReduce__586_0_1"
HASH = "17522688603477080586"
TIMES = (
    '{"Start Timestamp(us)": 0.2, "Elapse Time(ms)": 0.00050000001, "Transit Time(ms)": 4e-05,'
    ' "Wait Time(ms)": 2e-05, "Synchronization Time(ms)": 0.0, "Idle Time(ms)": 0.00044,'
    ' "Wait Time Ratio": 0.3333}'
)
BANDWIDTHS = (
    '{"RDMA": {"Transit Size(MB)": 0.5, "Transit Time(ms)": 0.001},'
    ' "HCCS": {"Transit Size(MB)": 28.647232000000002, "Transit Time(ms)": 1.816},'
    ' "SDMA": {"Transit Size(MB)": 28.647232000000002, "Transit Time(ms)": 1.816}}'
)
ENTRY = f'{{"Communication Time Info": {TIMES}, "Communication Bandwidth Info": {BANDWIDTHS}}}'
WHOLE = (
    f'{{"step1": {{"p2p": {{}}, "collective": {{"{NAME}@{HASH}": {ENTRY},'
    f' "Total Op Info": {ENTRY}}}}}}}'
)
LINK = '{"Transport Type": "HCCS", "Transit Size(MB)": 1.5, "Transit Time(ms)": 0.25}'
MATRIX = (
    f'{{"step1": {{"p2p": {{}}, "collective": {{"allreduce-total@{HASH}": {{"0-1": {LINK}}},'
    f' "allreduce-top1@{HASH}": {{"0-1": {LINK[:-1]}, "Op Name": "{NAME}"}}}}}}}}}}'
)
DEEP = '{"a":' * 100_000


def ingested(
    folder: Path, ingest: Ingest, times: str | bytes | None = WHOLE, links: str | None = None
) -> Ingested:
    """Ingest a rank with one collective of 500 ns, whose plane 1 waits 20 and moves 40 ns."""
    profile = torch_profile(folder)
    profile.trace.step(1, 0, 1000)
    profile.trace.collective(150, 500, waits={1: (160, 20), 2: (160, 300)}, moves=[(1, 480, 40)])
    if times is not None:
        profile.file(f"{OUTPUT}/communication.json", times)
    if links is not None:
        profile.file(f"{OUTPUT}/communication_matrix.json", links)
    return ingest(profile.write())


def test_lengths_and_sizes_are_the_digits_of_the_file(tmp_path: Path, ingest: Ingest) -> None:
    store = ingested(tmp_path, ingest)
    assert store.rows(
        'SELECT step, kind, name, "group", ts, elapse_ns, transit_ns, wait_ns,'
        " synchronization_ns, idle_ns, wait_ratio, bytes, total FROM vendor_collective"
    ) == [(1, "collective", NAME, HASH, 200, 500, 40, 20, 0, 440, 0.3333, 29147232, 1_817_000)]
    assert "data_loss" not in {row[0] for row in store.rows("SELECT severity FROM import_stat")}


def test_a_collective_is_that_of_the_timeline_and_its_plane_the_one_that_was_counted(
    tmp_path: Path, ingest: Ingest
) -> None:
    store = ingested(tmp_path, ingest)
    matched = "SELECT collective_id, plane FROM vendor_collective"
    assert store.rows(matched) == [(0, 1)]
    other = WHOLE.replace('"Wait Time(ms)": 2e-05', '"Wait Time(ms)": 9e-05')
    assert ingested(tmp_path / "b", ingest, other).rows(matched) == [(0, None)]
    later = WHOLE.replace('(us)": 0.2', '(us)": 1.2')
    assert ingested(tmp_path / "c", ingest, later).rows(matched) == [(None, None)]
    without = WHOLE.replace('"Start Timestamp(us)": 0.2, ', "")
    assert ingested(tmp_path / "d", ingest, without).rows(matched) == [(0, 1)]


def test_links_have_the_group_and_rank_that_the_timeline_has_for_them(
    tmp_path: Path, ingest: Ingest
) -> None:
    store = ingested(tmp_path, ingest, links=MATRIX)
    assert store.rows(
        "SELECT operation, choice, src, dst, transport, bytes, total, name, own_group, peer"
        " FROM vendor_link ORDER BY choice"
    ) == [
        ("allreduce", "top1", 0, 1, "HCCS", 1_500_000, 250_000, NAME, "0", 1),
        ("allreduce", "total", 0, 1, "HCCS", 1_500_000, 250_000, None, "0", 1),
    ]


def test_a_profile_without_the_files_has_empty_tables(tmp_path: Path, ingest: Ingest) -> None:
    store = ingested(tmp_path, ingest, times=None)
    assert store.one(
        "SELECT (SELECT count(*) FROM vendor_collective), count(*) FROM vendor_link"
    ) == (0, 0)


def test_what_msprof_analyses_has_neither_steps_nor_kinds(tmp_path: Path, ingest: Ingest) -> None:
    profile = msprof_profile(tmp_path)
    profile.trace.collective(150, 500, waits={1: (160, 20)}, moves=[(1, 480, 40)])
    profile.file("analyze/communication.json", f'{{"{NAME}@{HASH}": {ENTRY}}}')
    store = ingest(profile.write())
    assert store.rows("SELECT step, kind, collective_id, plane FROM vendor_collective") == [
        (None, None, 0, 1)
    ]


def test_a_changed_file_makes_the_store_anew(tmp_path: Path, ingest: Ingest) -> None:
    ingested(tmp_path, ingest)
    changed = ingested(tmp_path, ingest, WHOLE.replace("0.3333", "0.25"))
    assert changed.rows("SELECT wait_ratio FROM vendor_collective") == [(0.25,)]


@pytest.mark.parametrize(
    ("content", "noticed", "rows"),
    [
        (WHOLE[:200], "side_file_damaged", 0),
        ('{"step2": 3, ' + WHOLE[1:], "entry_malformed", 1),
        (WHOLE.replace("2e-05", '"soon"'), "cell_malformed", 1),
        (WHOLE.replace("2e-05", "1e300"), "cell_malformed", 1),
        (WHOLE.replace("0.3333", "1e999"), "cell_malformed", 1),
        (WHOLE.replace("28.647232000000002", "[]"), "cell_malformed", 1),
        (WHOLE.replace(TIMES, "[1]", 1), "entry_malformed", 0),
        (WHOLE.replace("step1", "step999999999999"), "entry_malformed", 0),
        ('{"step1": ' + DEEP, "side_file_damaged", 0),
        ('{"step1": {"collective": {"a": "' + "x" * 2_000_000 + '"}}}', "entry_malformed", 0),
        (gzip.compress(WHOLE.encode()), None, 1),
        ("\ufeff" + WHOLE, None, 1),
    ],
    ids=lambda one: str(one)[-30:] if isinstance(one, str | bytes) else None,
)  # fmt: skip
def test_what_is_damaged_is_counted_and_the_rest_is_read(
    tmp_path: Path, content: str | bytes, noticed: str | None, rows: int
) -> None:
    path = tmp_path / "communication.json"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    log = ImportLog()
    table = read_collective_figures(path, tmp_path, log)
    assert table.num_rows == rows
    assert {one.name for one in log} == ({noticed} if noticed else set())
    assert {one.severity for one in log} <= {"data_loss"}


def test_what_is_longer_than_anybody_writes_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "communication.json"
    path.write_text(WHOLE)
    monkeypatch.setattr(communication_files, "MOST_BYTES", len(WHOLE) - 1)
    log = ImportLog()
    assert read_collective_figures(path, tmp_path, log).num_rows == 0
    assert [one.name for one in log] == ["side_file_too_large"]
    monkeypatch.setattr(communication_files, "MOST_BYTES", len(WHOLE))
    assert read_collective_figures(path, tmp_path, ImportLog()).num_rows == 1


def test_names_that_are_no_utf_8_are_repaired(tmp_path: Path) -> None:
    path = tmp_path / "communication.json"
    path.write_bytes(WHOLE.encode().replace(NAME.encode(), b"hcom\xff"))
    log = ImportLog()
    assert read_collective_figures(path, tmp_path, log)["name"].to_pylist() == ["hcom\\xff"]
    assert [(one.name, one.severity) for one in log] == [("text_repaired", "info")]


@pytest.mark.parametrize("pair", ["0", "0-x", "-1-2", "0-12345678901"])
def test_what_is_no_pair_of_ranks_is_no_link(tmp_path: Path, pair: str) -> None:
    path = tmp_path / "communication_matrix.json"
    path.write_text(MATRIX.replace("0-1", pair, 1))
    log = ImportLog()
    assert read_link_figures(path, tmp_path, log).num_rows == 1
    assert [(one.name, one.count) for one in log] == [("entry_malformed", 1)]


def test_damage_at_any_byte_ends_no_reader(tmp_path: Path) -> None:
    chance = random.Random(7)  # noqa: S311 # made up the same every time
    for text, read in ((WHOLE, read_collective_figures), (MATRIX, read_link_figures)):
        for number in range(400):
            damaged = bytearray(text.encode())
            for _ in range(chance.randrange(1, 4)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            path = tmp_path / f"{number}.json"
            path.write_bytes(
                damaged[: chance.randrange(len(damaged))] if number % 4 == 0 else damaged
            )
            rows = read(path, tmp_path, log := ImportLog())
            if number % 4 == 0:
                assert rows.num_rows == 0
                assert [one.severity for one in log] in (
                    ["data_loss"],
                    ["data_loss", "info"],
                    ["info", "data_loss"],
                )


@given(st.floats(0, 1e9, allow_nan=False))
def test_a_length_is_the_floats_own_digits_and_not_the_float(length: float) -> None:
    text = json.dumps(length)
    exact = (Decimal(text) * 10**6).quantize(Decimal(1), ROUND_HALF_EVEN)
    assert communication_files.scaled(text, 6) == exact
