"""Side files and names that hold what no column of the store can."""

import json
from pathlib import Path

import orjson
import pytest
from build import KERNEL_DETAILS, csv_text, msprof_profile, torch_profile
from conftest import Ingest
from discovered import names, notices, refuse_to_open, the_profile, with_kernel
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from npuview.ingest.discover import find_profiles
from npuview.ingest.discover.side_files import decoded
from npuview.ingest.discover.table_names import MOST_NAME_BYTES, named_once
from npuview.ingest.notice import Notice
from npuview.ingest.profile import Profile, TableFile

DEEP = "[" * 20_000 + "]" * 20_000


def assert_storable(profile: Profile) -> None:
    texts = [profile.name, profile.host, profile.level, *(one.name for one in profile.tables)]
    texts += [text for one in profile.notices for text in (one.file, one.sample)]
    for text in texts:
        (text or "").encode()
    orjson.dumps([profile.versions, profile.switches])
    numbers = (profile.rank, profile.world_size or 0, profile.device_id or 0)
    assert all(0 <= number < 1 << 31 for number in numbers)
    if profile.clock_start is not None:
        monotonic, epoch = profile.clock_start
        assert -(1 << 63) <= epoch - monotonic < 1 << 63


def said(profile: Profile) -> dict[str, Notice]:
    return {one.name: one for one in profile.notices}


@pytest.mark.parametrize("text", [f'{{"a":{DEEP}}}', f'{{"rank":1,"a":{DEEP}}}'])
def test_deep_nesting_before_the_events_leaves_the_rank_unknown(tmp_path: Path, text: str) -> None:
    path = tmp_path / "worker.json"
    path.write_text(f'{{"distributedInfo":{text},"traceEvents":[{{"ph":"X"}}]}}')
    assert (the_profile(path).rank, the_profile(path).rank_known) == (0, False)


@pytest.mark.parametrize(
    "info",
    [
        '{"cann_version": ' + "9" * 30 + "}",
        '{"cann_version": ' + "9" * 5000 + "}",
        '{"cann_version": "\\ud800", "\\udfff": 1}',
        '{"config": {"experimental_config": {"_profiler_level": "\\ud800"}}}',
        '{"config": {"experimental_config": {"a": ' + "[" * 300 + "1" + "]" * 300 + "}}}",
        '{"config": {"common_config": {"a": [NaN, Infinity, 1e999, -1e999], "\\ud800": 1}}}',
        '{"a": ' + DEEP + "}",
        '{"cann_version": "\udcff"}',
    ],
)
def test_what_a_side_file_says_is_cleaned_before_it_is_stored(tmp_path: Path, info: str) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    builder.file("profiler_info_0.json", info.encode("utf-8", "surrogateescape"))
    assert_storable(the_profile(builder.write()))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(1 << 70), 1 << 70)
    | st.floats()
    | st.text(st.characters(codec=None), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec=None), max_size=5), inner, max_size=3)
    ),
    max_leaves=20,
)


@given(JSON)
@settings(deadline=None)
def test_any_json_value_becomes_one_that_utf_8_json_carries(value: object) -> None:
    found, _ = decoded(json.dumps(value))
    again = orjson.loads(orjson.dumps(found))
    assert again == found or "nan" in repr(found).lower()


def test_whole_numbers_of_64_bits_stay_numbers_and_bigger_ones_become_text() -> None:
    text = f'[{(1 << 63) - 1}, {-(1 << 63)}, {1 << 63}, "x"]'
    assert decoded(text)[0] == [(1 << 63) - 1, -(1 << 63), str(1 << 63), "x"]


@pytest.mark.parametrize(
    ("name", "rank_id"),
    [
        ("profiler_info.json", 2**40),
        ("profiler_info.json", "99999999999999999999999"),
        ("profiler_info_99999999999.json", None),
    ],
)
def test_a_rank_that_no_column_holds_is_unknown_and_counted(
    tmp_path: Path, name: str, rank_id: object
) -> None:
    builder = with_kernel(torch_profile(tmp_path, level=None))
    builder.json(name, {} if rank_id is None else {"rank_id": rank_id})
    profile = the_profile(builder.write())
    assert (profile.rank, profile.rank_known) == (0, False)
    found = said(profile)["number_out_of_range"]
    assert (found.file, found.severity) == (name, "data_loss")


def test_a_rank_that_a_writer_without_sign_left_unset_is_no_finding(tmp_path: Path) -> None:
    builder = with_kernel(torch_profile(tmp_path, level=None))
    builder.json("profiler_info.json", {"rank_id": 4294967295})
    profile = the_profile(builder.write())
    assert not profile.rank_known
    assert profile.notices == ()


@pytest.mark.parametrize("value", [2**40, "9" * 30])
def test_a_rank_in_a_lone_trace_or_its_name_is_checked_too(tmp_path: Path, value: object) -> None:
    path = tmp_path / "worker.json"
    path.write_text(
        json.dumps({"distributedInfo": {"rank": value, "world_size": value}, "traceEvents": []})
    )
    profile = the_profile(path)
    assert (profile.rank_known, profile.world_size) == (False, None)
    assert notices(profile, "number_out_of_range").keys() == {"worker.json"}
    path = tmp_path / "ascend_timeline_display_99999999999.json"
    path.write_text('[{"ph":"X"}]')
    assert not the_profile(path).rank_known


def test_a_device_and_a_clock_out_of_range_are_unknown_and_counted(
    tmp_path: Path, ingest: Ingest
) -> None:
    builder = with_kernel(msprof_profile(tmp_path))
    builder.json("device_99999999999/info.json.99999999999", {"rank_id": 3})
    path = builder.write()
    (path / "device_0" / "start_info.0").unlink()
    (path / "device_0" / "info.json.0").unlink()
    (path / "device_0").rmdir()
    (path / "host" / "start_info").write_text(
        '{"clockMonotonicRaw": "99999999999999999999", "collectionTimeBegin": "1767262210000000"}'
    )
    profile = the_profile(path)
    assert (profile.device_id, profile.clock_start, profile.rank) == (None, None, 3)
    assert notices(profile, "number_out_of_range") == {
        "device_99999999999": "device: 99999999999",
        "host/start_info": "clockMonotonicRaw: 99999999999999999999",
    }
    assert ingest(path).one("SELECT device_id IS NULL OR device_id = 0 FROM profile")


@given(st.integers(0, 1 << 70), st.integers(0, 1 << 70))
@settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40
)
def test_the_two_clocks_of_a_profile_have_a_difference_of_64_bits(
    tmp_path: Path, monotonic: int, epoch: int
) -> None:
    builder = with_kernel(
        msprof_profile(tmp_path, monotonic_start_ns=monotonic, epoch_start_us=epoch)
    )
    assert_storable(the_profile(builder.write()))


@pytest.mark.parametrize("name", ["trace_slice_20260101.json", "op_slice_4000000000.csv"])
def test_a_date_after_slice_is_no_number_of_a_slice(tmp_path: Path, name: str) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    builder.file(f"ASCEND_PROFILER_OUTPUT/{name}", "A,B\n1,2\n")
    profile = the_profile(builder.write())
    assert "slice_missing" not in said(profile)


def test_names_that_are_no_utf_8_are_shown_in_hex(tmp_path: Path) -> None:
    parent = tmp_path / "x\udcff"
    path = with_kernel(torch_profile(parent, worker="h\udcfe")).write()
    output = path / "ASCEND_PROFILER_OUTPUT"
    (output / "a\udcff.csv").write_text("A,B\n1,2\n")
    (output / "a\udcff.db").write_bytes(b"SQLite format 3\0")
    (output / "b\udcff.csv").write_text("A,B\n")
    (parent / "ASCEND_PROFILER_OUTPUT\udcff").mkdir()
    (parent / "n_1_20260101101010123_ascend_pt\udcff").symlink_to(parent)
    profile = the_profile(parent)
    assert_storable(profile)
    assert profile.path == path
    assert (profile.host, profile.name) == ("h\\xfe", path.name.replace("\udcfe", "\\xfe"))
    assert set(names(profile)) == {"a\\xff"}
    assert "ASCEND_PROFILER_OUTPUT/b\\xff.csv" in notices(profile, "empty_file")
    assert "ASCEND_PROFILER_OUTPUT/a\\xff.db" in notices(profile, "not_read")
    raw = parent / "n\udcfd_1_20260101101010123_ascend_pt"
    (raw / "FRAMEWORK").mkdir(parents=True)
    assert_storable(the_profile(parent))


def test_tables_of_long_names_and_of_names_that_differ_in_case_are_all_kept(
    tmp_path: Path, ingest: Ingest
) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    long = "L" * 240
    for name in ("Foo", "foo", "foo_x", "FOO", long, long[:-1] + "M", "f" + "\u52a0" * 80):
        builder.csv(name, "A,B", [["1", "2"]])
    opened = ingest(builder.write())
    tables = [name for name in opened.store.ranks[0].tables if name.startswith("summary_")]
    assert len({name.casefold() for name in tables}) == len(tables) == 7
    assert all(opened.one(f'SELECT "A" + "B" FROM "{name}"') == 3 for name in tables)


@given(st.lists(st.text(min_size=1, max_size=150), max_size=12))
def test_any_names_become_short_names_that_sql_tells_apart(given_names: list[str]) -> None:
    tables = [TableFile(name, "summary", ()) for name in given_names]
    found = [table.name for table in named_once(tables)]
    assert len({name.casefold() for name in found}) == len(given_names)
    assert all(len(name.encode()) <= MOST_NAME_BYTES + 4 for name in found)


def test_an_unreadable_side_file_of_one_rank_does_not_hide_the_others(
    tmp_path: Path, ingest: Ingest, monkeypatch: pytest.MonkeyPatch
) -> None:
    for rank in (0, 1):
        with_kernel(torch_profile(tmp_path, rank=rank)).write()
    (closed,) = tmp_path.glob("*/profiler_info_1.json")
    renamed = closed.rename(closed.with_name("profiler_info.json"))
    refuse_to_open(monkeypatch, renamed)
    first, second = find_profiles(tmp_path)
    assert [(one.rank, one.rank_known) for one in (first, second)] == [(0, True), (1, False)]
    assert said(second)["file_unreadable"].severity == "error"
    assert len(ingest(tmp_path).store.ranks) == 2


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xff", b"null"])
def test_a_damaged_side_file_is_counted(tmp_path: Path, content: bytes) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    builder.file("profiler_metadata.json", content)
    found = said(the_profile(builder.write()))["side_file_damaged"]
    assert (found.file, found.severity) == ("profiler_metadata.json", "data_loss")


def test_a_memory_table_with_a_time_for_a_device_is_read(tmp_path: Path, ingest: Ingest) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    devices = ("NPU:3", "NPU:1736408883704643", "1736408883704643", "65536", "\u00b2")
    builder.csv(
        "memory_record",
        "Component,Timestamp(us),Total Reserved(MB),Device Type",
        [["APP", "1", "2", device] for device in devices],
    )
    found = ingest(builder.write())
    known = found.rows("SELECT DISTINCT device_id FROM track WHERE kind = 'counter' ORDER BY 1")
    assert (3,) in known
    assert {device for (device,) in known} <= {0, 3, None}
    assert found.one("SELECT count(*) FROM counter") == len(devices)


def test_a_kernel_table_in_a_folder_of_an_impossible_device_has_none(tmp_path: Path) -> None:
    folder = tmp_path / "PROF_000001_20260101101010123_ABC"
    path = folder / "device_99999999999" / "summary" / "op_summary_1_1_1.csv"
    path.parent.mkdir(parents=True)
    path.write_text(csv_text(KERNEL_DETAILS, [{"Name": "a", "Start Time(us)": "1"}]))
    assert the_profile(tmp_path).device_id is None
