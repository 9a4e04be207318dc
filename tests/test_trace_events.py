"""Events to slices, flows, counters and lanes, through a whole ingest."""

from pathlib import Path

import pytest
from build import TraceBuilder
from conftest import Ingest, Ingested
from event_reader import Read, ReadAlone
from hypothesis import given, settings
from hypothesis import strategies as st
from splitter import WholeSlice

from npuview.ingest.derive.nesting import Placed, untangle

SLICES = "SELECT name, ts, dur FROM slice ORDER BY slice_id"


@pytest.fixture
def read(tmp_path: Path, ingest: Ingest) -> Read:
    return Read(tmp_path / "trace.json", ingest)


@pytest.fixture
def read_alone(tmp_path: Path) -> ReadAlone:
    return ReadAlone(tmp_path / "trace.json")


def x(name: str, ts: str, dur: str = "1", *, tid: object = 1, more: str = "") -> str:
    return f'{{"ph":"X","name":"{name}","pid":1,"tid":{tid},"ts":{ts},"dur":{dur}{more}}}'


@pytest.mark.parametrize(
    ("ts", "ns"),
    [
        ('"1736408883704643.212"', 1736408883704643212),
        ("1736408883704643.212", 1736408883704643212),
        ("56635864652.490005", 56635864652490),
        ("1.6921085481321605e+15", 1692108548132160500),
        ('" 12.5\\t"', 12500),
        ("0.0005", 0),
        ("0.0015", 2),
        ("7", 7000),
    ],
)
def test_ts_is_read_digit_by_digit_whatever_its_type(
    read_alone: ReadAlone, ts: str, ns: int
) -> None:
    # A tab inside a JSON string is written as an escape, which is part of the raw text.
    assert read_alone(x("A", ts.replace("\\t", ""))).in_order == [WholeSlice(ns, 1000)]


@pytest.mark.parametrize(
    ("dur", "ns"),
    [
        ("784", 784000),
        ("79089.52021875", 79089520),
        ('"1.5"', 1500),
        ("4236.099998474121", 4236100),
    ],
)
def test_dur_is_rounded_half_to_even_beyond_nanoseconds(
    read_alone: ReadAlone, dur: str, ns: int
) -> None:
    assert read_alone(x("A", "1", dur)).in_order == [WholeSlice(1000, ns)]


def test_events_without_usable_times_are_counted_not_lost_silently(read: Read) -> None:
    store = read(
        x("kept", "1"),
        '{"ph":"X","name":"no ts","pid":1,"tid":1,"dur":1}',
        x("bad ts", '"soon"'),
        x("no dur", "2", "null"),
        x("negative", "3", "-4"),
        x("huge", "99999999999999999999"),
    )
    assert store.rows(SLICES) == [("kept", 1000, 1000), ("no dur", 2000, 0), ("negative", 3000, 0)]
    assert store.noticed() == {
        "missing_ts": 1,
        "ts_unreadable": 1,
        "ts_out_of_range": 1,
        "dur_missing": 1,
        "dur_negative": 1,
    }


def test_a_counted_event_is_found_at_its_byte(read: Read) -> None:
    lost = '{"ph":"X","name":"lost","pid":1,"tid":1,"dur":1,"args":{"a":{"b":"}{"}}}'
    store = read(x("first", "1"), x("é", "2"), lost, x("last", "3"))
    [(offset,)] = store.rows("SELECT first_offset FROM import_stat WHERE name = 'missing_ts'")
    assert read.path.read_bytes()[offset:].startswith(lost.encode())


def test_ids_may_be_numbers_text_or_beyond_64_bits(read: Read) -> None:
    store = read(
        x("a", "1", tid='"main"'),
        x("b", "2", tid="340282366920938463463374607431768211455"),
        x("c", "3", tid="7"),
    )
    assert store.rows(
        "SELECT name, tid_text FROM slice JOIN track USING (track_id) ORDER BY name"
    ) == [("a", "main"), ("b", "340282366920938463463374607431768211455"), ("c", "7")]


def test_metadata_after_the_events_names_their_lanes(read: Read) -> None:
    store = read(
        x("k", "1", more=',"args":{"Task Type":"AI_CORE"}'),
        '{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"Ascend Hardware"}}',
        '{"ph":"M","name":"process_labels","pid":1,"tid":0,"args":{"labels":"NPU 3"}}',
        '{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"Stream 1"}}',
    )
    lane = store.rows(
        "SELECT kind, device_id, stream_id, class FROM slice JOIN track USING (track_id)".replace(
            "stream_id", "track.stream_id"
        )
    )
    assert lane == [("stream", 3, 1, "compute")]


def test_b_and_e_pair_by_name_and_what_never_ends_reaches_the_end_of_the_trace(read: Read) -> None:
    def b(name: str, ts: int) -> str:
        return f'{{"ph":"B","name":"{name}","pid":1,"tid":1,"ts":{ts}}}'

    def e(name: str, ts: int) -> str:
        return f'{{"ph":"E","name":"{name}","pid":1,"tid":1,"ts":{ts}}}'

    store = read(
        b("first", 0), b("second", 3), e("first", 5), e("second", 7),
        b("open", 8), b("inner", 9), '{"ph":"E","pid":1,"tid":1,"ts":10}', e("none", 11),
        x("last", "20", "5"),
    )  # fmt: skip
    assert store.rows("SELECT name, dur, sublane, unfinished FROM slice ORDER BY ts") == [
        ("first", 5000, 0, False),
        ("second", 4000, 1, False),
        ("open", 17000, 0, True),
        ("inner", 1000, 0, False),
        ("last", 5000, 0, False),
    ]
    assert store.noticed() == {"unclosed_begin": 1, "misplaced_end": 1}


def test_asynchronous_events_nest_within_their_id(read: Read) -> None:
    def event(ph: str, name: str, ts: int, key: str) -> str:
        return f'{{"ph":"{ph}","cat":"req","name":"{name}","id":"{key}","pid":1,"tid":1,"ts":{ts}}}'

    store = read(
        event("b", "load", 0, "1"), event("b", "load", 1, "2"), event("b", "parse", 2, "1"),
        event("n", "note", 3, "2"), event("e", "parse", 4, "1"), event("e", "load", 6, "1"),
        event("e", "load", 9, "2"),
    )  # fmt: skip
    assert store.rows(
        "SELECT name, dur, depth, phase, tid_text FROM slice JOIN track USING (track_id)"
        " WHERE kind = 'async' ORDER BY ts"
    ) == [
        ("load", 6000, 0, "b", "1"),
        ("load", 8000, 0, "b", "2"),
        ("parse", 2000, 1, "b", "1"),
        ("note", 0, 1, "n", "2"),
    ]


def test_counters_are_series_by_process_name_key_and_instance(read: Read) -> None:
    def c(name: str, args: str, more: str = "") -> str:
        return f'{{"ph":"C","name":"{name}","pid":1,"tid":0,"ts":1,"args":{args}{more}}}'

    store = read(
        c("HBM 0/Read", '{"Read(MB/s)": 1.5}'),
        c("HBM 1/Read", '{"Read(MB/s)": "2.5"}'),
        c("AI Core Freq", '{"MHz": 1800}'),
        c("bw", '{"value": 3, "acc_id": 0}'),
        c("bw", '{"value": 4, "acc_id": 1}'),
        c("bad", '{"value": "high"}'),
    )
    assert store.rows(
        "SELECT s.name, key, unit, value FROM counter_series AS s JOIN counter USING (series_id)"
        " ORDER BY series_id"
    ) == [
        ("HBM 0/Read", "Read(MB/s)", "MB/s", 1.5),
        ("HBM 1/Read", "Read(MB/s)", "MB/s", 2.5),
        ("AI Core Freq", "MHz", "MHz", 1800.0),
        ("bw", "value acc 0", None, 3.0),
        ("bw", "value acc 1", None, 4.0),
    ]
    assert store.noticed() == {"counter_without_number": 1}


def test_unknown_phases_and_metadata_are_counted(read: Read) -> None:
    store = read(
        '{"ph":"P","name":"sample","pid":1,"tid":1,"ts":1}',
        '{"ph":"M","name":"num_cpus","pid":1,"args":{"number":4}}',
        '{"name":"no phase","ts":1}',
        x("kept", "1"),
    )
    assert store.noticed() == {"unknown_phase_P": 1, "metadata_unused": 1, "not_an_event": 1}


def test_args_keep_the_text_of_the_file(read: Read) -> None:
    text = '{"big":18446744073709551615,"f":1.10,"s":"\\u00e9 \\"q\\"","n":[{"a":null}]}'
    store = read(x("A", "1", more=f',"args":{text}'))
    [path] = [rank.parquet("slice_arg") for rank in store.store.ranks]
    assert store.rows(f"SELECT args FROM slice JOIN read_parquet('{path}') USING (arg_set_id)") == [
        (text,)
    ]


@pytest.mark.parametrize("none", ["18446744073709551615", "-1", "4294967295", '"N/A"'])
def test_marks_that_mean_no_connection_are_null(read: Read, none: str) -> None:
    store = read(x("A", "1", more=f',"args":{{"connection_id":{none},"Task Id":65536}}'))
    assert store.rows("SELECT connection_id, task_id FROM slice") == [(None, 65536)]


def test_slices_at_zero_among_wall_clock_times_stay_out_of_the_range(read: Read) -> None:
    store = read(x("odd", "0", "0"), x("A", '"1736408883704643.212"'))
    assert store.rows("SELECT ts, dur FROM profile") == [(1736408883704643212, 1000)]
    assert store.one("SELECT count(*) FROM slice") == 2


def test_values_that_fit_nothing_cost_themselves_and_not_the_profile(read: Read) -> None:
    def m(kind: str, value: str, pid: int = 1, tid: str = "1") -> str:
        return f'{{"ph":"M","name":"{kind}","pid":{pid},"tid":{tid},"args":{{{value}}}}}'

    store = read(
        m("process_name", '"name":"Ascend Hardware"'),
        m("process_labels", '"labels":"NPU 99999999999999"'),
        m("thread_name", '"name":"Stream 99999999999999999999"'),
        m("process_name", '"name":"Communication"', pid=2),
        m("thread_name", '"name":"Group 0 Communication"', pid=2),
        m("thread_name", '"name":"Plane 0"', pid=2, tid="2"),
        x("kept", "1", more=',"args":{"Task Type":"AI_CORE"}'),
        x("power", "2", tid='"²"'),
        x("before zero", "-5"),
        x("too long", "3", "9223372036854774"),
        x("too late", "9223372036854775"),
        '{"ph":"X","name":"hcom_x","pid":2,"tid":1,"ts":1,"dur":9,'
        '"args":{"count":9000000000000000000,"data_type":"FP32"}}',
        '{"ph":"X","name":"Notify_Wait","pid":2,"tid":2,"ts":2,"dur":1,'
        '"args":{"dst rank":4294967294}}',
    )
    assert {name for (name,) in store.rows("SELECT name FROM slice")} == {
        "kept", "power", "before zero", "too long", "hcom_x", "Notify_Wait",
    }  # fmt: skip
    assert store.rows("SELECT ts, dur FROM slice WHERE name = 'before zero'") == [(-5000, 1000)]
    assert store.one("SELECT bytes FROM collective") is None
    assert store.noticed() == {"ts_out_of_range": 1, "dur_out_of_range": 1}


def test_bad_bytes_in_the_name_of_a_lane_do_not_lose_it(read: Read) -> None:
    read.path.write_bytes(
        b'[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"main\xff"}},'
        + x("a", "1").encode()
        + b"]"
    )
    store = read.ingest(read.path)
    assert store.one("SELECT thread_name FROM track") == r"main\xff"
    assert store.noticed() == {"text_repaired": 1}


def test_args_of_an_end_are_those_of_the_slice(read: Read) -> None:
    store = read(
        '{"ph":"B","name":"a","pid":1,"tid":1,"ts":1}',
        '{"ph":"E","name":"a","pid":1,"tid":1,"ts":2,"args":{"n":1}}',
        '{"ph":"B","name":"b","pid":1,"tid":1,"ts":3,"args":{"m":1}}',
        '{"ph":"E","name":"b","pid":1,"tid":1,"ts":4,"args":{"n":2}}',
        '{"ph":"B","name":"c","pid":1,"tid":1,"ts":5,"args":{ }}',
        '{"ph":"E","name":"c","pid":1,"tid":1,"ts":6,"args":{"n":3}}',
        '{"ph":"B","name":"d","pid":1,"tid":1,"ts":7,"args":{"m":4}}',
        '{"ph":"E","name":"d","pid":1,"tid":1,"ts":8,"args":{ }}',
    )
    [path] = [rank.parquet("slice_arg") for rank in store.store.ranks]
    assert store.rows(
        f"SELECT name, args FROM slice JOIN read_parquet('{path}') USING (arg_set_id) ORDER BY ts"
    ) == [("a", '{"n":1}'), ("b", '{"m":1,"n":2}'), ("c", '{"n":3}'), ("d", '{"m":4}')]
    assert store.noticed() == {}


@pytest.mark.parametrize(("written", "shown"), [((0.875, 0.5), 87.5), ((87.5, 50.0), 87.5)])
def test_a_hit_rate_is_a_percentage_whoever_wrote_it(
    read: Read, written: tuple[float, float], shown: float
) -> None:
    store = read(
        *(
            f'{{"ph":"C","name":"LLC 0 Read/Hit Rate","pid":1,"ts":{ts},'
            f'"args":{{"Hit Rate(%)":{value}}}}}'
            for ts, value in enumerate(written)
        ),
        x("a", "1"),
    )
    assert store.one("SELECT max(value) FROM counter") == shown


def test_phases_nobody_knows_are_counted_under_few_names(read: Read) -> None:
    odd = [f'{{"ph":"q{n}","name":"a","pid":1,"tid":1,"ts":1}}' for n in range(50)]
    assert read(*odd, x("a", "1")).noticed() == {"unknown_phase": 50}


def flows(*ends: str) -> list[str]:
    return [
        x("a", "0", "10"), x("inner", "0", "2"), x("b", "20", "10", tid=2),
        x("c", "40", "10", tid=2), *ends,
    ]  # fmt: skip


def end(ph: str, ts: float, tid: int, key: object = 5, cat: str = "q") -> str:
    return (
        f'{{"ph":"{ph}","cat":"{cat}","name":"go{key}","id":{key},"pid":1,"tid":{tid},"ts":{ts}}}'
    )


NAMED_FLOWS = """
    SELECT f.name, flow_key, s.name, d.name FROM flow AS f
    LEFT JOIN slice AS s ON s.slice_id = src_slice_id
    LEFT JOIN slice AS d ON d.slice_id = dst_slice_id
    ORDER BY src_ts, dst_ts
"""


@pytest.mark.parametrize(
    ("ends", "arrows"),
    [
        ([end("s", 0, 1), end("f", 20, 2)], [("go", "5", "inner", "b")]),
        ([end("s", 5, 1), end("f", 25, 2)], [("go", "5", "a", "b")]),
        (
            [end("s", 5, 1), end("f", 20, 2), end("f", 40, 2)],
            [("go", "5", "a", "b"), ("go", "5", "a", "c")],
        ),
        (
            [end("s", 5, 1), end("t", 20, 2), end("f", 40, 2)],
            [("go", "5", "a", "b"), ("go", "5", "b", "c")],
        ),
        ([end("s", 20, 2), end("f", 5, 1)], [("go", "5", "b", "a")]),
        ([end("f", 20, 2)], [("go", "5", None, "b")]),
        ([end("s", 5, 1)], [("go", "5", "a", None)]),
        (
            [end("s", 0, 1, 5, "x"), end("f", 20, 2, 5, "y")],
            [("go", "5", "inner", None), ("go", "5", None, "b")],
        ),
        (
            [end("s", 0, 1), end("f", 20, 2), end("s", 21, 2), end("f", 40, 2)],
            [("go", "5", "inner", "b"), ("go", "5", "b", "c")],
        ),
        (
            [end("s", 5, 1, 2**70), end("f", 20, 2, 2**70)],
            [("go", str(2**70), "a", "b")],
        ),
    ],
)
def test_arrows_join_what_their_ends_stand_on(
    read: Read, ends: list[str], arrows: list[tuple[str, str, str | None, str | None]]
) -> None:
    assert read(*flows(*ends)).rows(NAMED_FLOWS) == arrows


def test_arrows_of_one_time_are_in_the_same_order_whenever_they_are_read(read: Read) -> None:
    lanes = range(60)
    slices = [x("k", "1", tid=lane) for lane in lanes]
    ends = [
        f'{{"ph":"f","name":"{name}","cat":"c","id":1,"pid":1,"tid":{lane},"ts":{ts}}}'
        for lane in reversed(lanes)
        for name, ts in (("b", 1), ("a", 1), ("b", 9))
    ]
    store = read(*slices, *ends)
    found = store.rows("SELECT dst_ts, dst_slice_id, dst_track_id, name FROM flow")
    assert found == sorted(found, key=lambda row: (row[0], row[1] or 0, row[2:]))
    assert len(set(found)) == len(ends)


def test_arrows_of_the_second_form_start_and_end_at_their_slices(read: Read) -> None:
    store = read(
        x("a", "0", more=',"bind_id":"0x1","flow_out":true,"cat":"q"'),
        x("b", "5", tid=2, more=',"bind_id":"0x1","flow_in":true,"cat":"q"'),
    )
    assert [row[2:] for row in store.rows(NAMED_FLOWS)] == [("a", "b")]


spans = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 15)), max_size=40)


@settings(max_examples=12, deadline=None)
@given(st.lists(spans, min_size=1, max_size=12))
def test_nesting_by_sets_of_rows_equals_nesting_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, lanes: list[list[tuple[int, int]]]
) -> None:
    folder = tmp_path_factory.mktemp("nesting")
    trace = TraceBuilder()
    trace.host_thread(1).slice("always one", 0, 1)
    for tid, one in enumerate(lanes, start=2):
        for ts, dur in one:
            trace.host_thread(tid).slice("s", ts, dur)
    from npuview.ingest.pipeline import open_store  # noqa: PLC0415 # fixtures do not mix with given

    store = Ingested(open_store(trace.write(folder / "t.json"), cache_dir=folder / "cache"))
    order = "FROM slice ORDER BY track_id, slice_id"
    rows = store.rows(f"SELECT slice_id, track_id, 0, ts, dur {order}")
    expected = untangle(Placed._make(row) for row in rows)
    found = store.rows(f"SELECT slice_id, depth, sublane, parent_id {order}")
    assert found == [tuple(one) for one in expected]
    # Whatever the nesting: on a sub-lane slices nest, and every one is there.
    assert len(found) == 1 + sum(map(len, lanes))
    by_id = {row[0]: (row[3], row[3] + row[4]) for row in rows}
    for slice_id, depth, _, parent in found:
        assert (parent is None) == (depth == 0)
        if parent is not None:
            outer, inner = by_id[parent], by_id[slice_id]
            assert outer[0] <= inner[0]
            assert inner[1] <= outer[1]
