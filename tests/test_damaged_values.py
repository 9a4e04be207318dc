"""Values that are odd: what they can mean is kept, what they cannot is counted."""

from pathlib import Path

import pytest
from conftest import Ingest
from event_reader import Read, ReadAlone
from splitter import WholeSlice


@pytest.fixture
def read(tmp_path: Path, ingest: Ingest) -> Read:
    return Read(tmp_path / "t.json", ingest)


@pytest.fixture
def read_alone(tmp_path: Path) -> ReadAlone:
    return ReadAlone(tmp_path / "t.json")


def x(name: str, ts: str, dur: str = "1", more: str = "") -> str:
    return f'{{"ph":"X","name":"{name}","pid":1,"tid":1,"ts":{ts},"dur":{dur}{more}}}'


@pytest.mark.parametrize(
    ("ts", "ns"),
    [
        ("1e3", 1_000_000),
        ("1.69e+15", 1_690_000_000_000_000_000),
        ("1692108548132160.5", 1_692_108_548_132_160_500),
        ('"\\t1.5\\u0020"', 1500),
        ('"\n1.5"', 1500),
        ("-0.0", 0),
        ("1E-3", 1),
        ("0.00000000000000000000001", 0),
    ],
)
def test_a_time_is_what_its_digits_say(read_alone: ReadAlone, ts: str, ns: int) -> None:
    assert read_alone(x("A", ts)).in_order == [WholeSlice(ns, 1000)]


@pytest.mark.parametrize(
    ("ts", "lost"),
    [
        ("1736408883704643212", "ts_unreadable"),
        ('"1736408883704643212"', "ts_unreadable"),
        ("9" * 5000, "ts_unreadable"),
        ("1e400", "ts_unreadable"),
        ("5000000000000000", "ts_out_of_range"),
        ("null", "missing_ts"),
        ('"soon"', "ts_unreadable"),
        ("[1]", "ts_unreadable"),
        ("true", "ts_unreadable"),
        ("NaN", "missing_ts"),
    ],
)
def test_what_is_no_time_costs_its_event_and_is_counted(
    read_alone: ReadAlone, ts: str, lost: str
) -> None:
    found = read_alone(x("A", "1"), x("B", ts), x("C", "2"))
    assert found.names == ["A", "C"]
    places = [(one.count, one.first_offset) for one in found.losses]
    assert places == [(1, len(f"[{x('A', '1')},"))]
    assert lost in found.notices or "ts_out_of_range" in found.notices


def test_whole_microseconds_and_nothing_finer_keep_zero_lengths(read: Read) -> None:
    store = read(x("A", "1", "0"), x("B", "1", "0.4"), x("C", "1", "0.0004"))
    assert store.rows("SELECT name, dur FROM slice ORDER BY name") == [
        ("A", 0), ("B", 400), ("C", 0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "keys",
    [
        '"ts":1,"ts":2',
        '"ts":2,"dur":5,"dur":1',
        '"name":"B","name":"A","ts":2',
        '"ts":1,"dur":9,"name":"B","ts":"2.000","dur":1,"name":"A"',
        '"t\\u0073":1,"ts":2',
    ],
)
def test_of_a_key_given_twice_the_last_counts_and_it_is_told(
    read_alone: ReadAlone, keys: str
) -> None:
    usual = "" if "name" in keys else ',"name":"A"'
    usual += "" if "dur" in keys else ',"dur":1'
    twice = f'{{"ph":"X","pid":1,"tid":1,{keys}{usual},"args":{{"name":"n","ts":1,"dur":2}}}}'
    before = x("first", "1")
    found = read_alone(before, twice, x("last", "3"))
    assert found.in_order == [WholeSlice(1000 * ts, 1000) for ts in (1, 2, 3)]
    assert found.names == ["first", "A", "last"]
    told = found.notices["duplicate_key"]
    assert (told.count, told.first_offset, told.severity) == (1, len(f"[{before},"), "data_loss")


def test_keys_that_args_have_as_well_are_no_duplicates(read: Read) -> None:
    args = ',"args":{"name":"a","ts":1,"dur":2,"n":{"name":"b"}}'
    m = '{"ph":"M","name":"process_name","pid":1,"args":{"name":"P"}}'
    store = read(m, *(x("A", str(ts), more=args) for ts in range(50)))
    assert store.noticed() == {}


def test_a_length_beyond_all_reason_is_kept_and_pointed_out(read: Read) -> None:
    usual = [x("k", str(ts)) for ts in range(200)]
    assert "dur_suspicious" not in read(x("step", "0", "205"), *usual).noticed()
    store = read(x("odd", "7", "3400000"), *usual)
    assert store.one("SELECT max(dur) FROM slice") == 3_400_000_000
    assert store.rows(
        "SELECT count, sample, severity FROM import_stat WHERE name = 'dur_suspicious'"
    ) == [(1, "odd", "info")]


def test_shuffled_events_give_the_rows_of_sorted_ones(read: Read) -> None:
    events = [x(f"n{ts % 7}", str(ts), str(ts % 5)) for ts in range(60)]
    rows = "SELECT name, ts, dur, depth, sublane FROM slice ORDER BY slice_id"
    in_order = read(*events).rows(rows)
    assert read(*reversed(events)).rows(rows) == in_order
    assert read(*events[::2], *events[1::2]).rows(rows) == in_order


def test_metadata_without_a_time_or_a_name_is_no_loss(read: Read) -> None:
    store = read('{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"T"}}', x("", "1"))
    assert store.rows("SELECT name, thread_name FROM slice JOIN track USING (track_id)") == [
        ("", "T")
    ]
    assert store.noticed() == {}
