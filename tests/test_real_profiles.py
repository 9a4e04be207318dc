"""Real profiler output: every slice accounted for, and known figures to the nanosecond."""

import csv
import gzip
import json
import re
import shutil
import zipfile
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import Ingest

from npuview.ingest.errors import UnsupportedProfile

pytestmark = pytest.mark.shared

RANKS = [f"level{level}/rank{rank}_ascend_pt" for level in (0, 1, 2) for rank in (0, 1)]
COLUMNS = {
    "computing": "Computing",
    "communication": "Communication",
    "communication_not_overlapped": "Communication(Not Overlapped)",
    "free": "Free",
}
SHARED = Path(__file__).resolve().parents[2] / "shared"
LEDGERS: dict[str, dict[str, int]] = {
    "rank0": {
        "computing": 8873734,
        "transferring": 3935920,
        "copying": 878857,
        "waiting_peer": 97951286,
        "collective_other": 50281,
        "waiting_event": 7940,
        "idle": 44287782,
    },
    "rank1": {
        "computing": 8878271,
        "transferring": 3946919,
        "copying": 1310125,
        "waiting_peer": 92333637,
        "collective_other": 53763,
        "waiting_event": 7621,
        "idle": 47358054,
    },
}


def nanoseconds(text: object) -> int:
    """Return decimal microseconds as ns, by another way than the reader's."""
    whole = (Decimal(str(text).strip()) * 1000).quantize(Decimal(1), ROUND_HALF_EVEN)
    return int(whole)


def events(path: Path) -> list[dict[str, Any]]:
    raw = path.read_bytes()
    if raw.startswith(b"\x1f\x8b"):
        raw = gzip.decompress(raw)
    elif raw.startswith(b"PK"):
        with zipfile.ZipFile(path) as archive:
            raw = archive.read(archive.namelist()[0])
    document = json.loads(raw, parse_float=str, parse_int=str)
    if isinstance(document, dict):
        return document.get("traceEvents", [document])
    return document


@pytest.mark.parametrize("name", RANKS)
def test_figures_without_the_file_equal_the_removed_file(
    shared_data: Path, tmp_path: Path, ingest: Ingest, real: Ingest, name: str
) -> None:
    source = shared_data / "torch_npu" / name
    copy = tmp_path / source.name
    shutil.copytree(source, copy)
    file = copy / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv"
    [row] = csv.DictReader(file.read_text().splitlines())
    file.chmod(0o600)
    file.parent.chmod(0o700)
    file.unlink()
    store = ingest(copy)
    columns = ", ".join(COLUMNS)
    found = store.one(f"SELECT {columns}, figures_source FROM step WHERE step = 50")
    assert found[-1] == "overlap_lane"
    for figure, column in zip(found, COLUMNS.values(), strict=False):
        assert abs(figure - nanoseconds(row[column])) <= 1, column
    with_file = real(source)
    assert with_file.one("SELECT figures_source FROM step") == "step_trace_time"
    assert "figures_differ_from_lane" not in with_file.noticed()


@pytest.mark.parametrize("rank", LEDGERS)
def test_the_ledger_of_a_real_step_equals_the_analysis_by_hand(
    shared_data: Path, real: Ingest, rank: str
) -> None:
    store = real(shared_data / "torch_npu" / "level1" / f"{rank}_ascend_pt")
    ledger = dict(
        store.rows("SELECT state, sum(dur)::BIGINT FROM ledger WHERE step = 50 GROUP BY 1")
    )
    assert ledger == LEDGERS[rank]
    assert sum(ledger.values()) == store.one("SELECT dur FROM step WHERE step = 50")


def test_the_peer_everybody_waits_for_is_the_one_found_by_hand(
    shared_data: Path, real: Ingest
) -> None:
    store = real(shared_data / "torch_npu" / "level1" / "rank0_ascend_pt")
    assert store.rows("SELECT last_peer, transfer_ns, wait_ns, bytes FROM collective") == [
        (5, 274726, 78793754, 16388000),
        (5, 1356566, 903278, 67125248),
        (5, 2324967, 60280, 151011328),
        (5, 188224, 22015300, 9878784),
    ]
    assert dict(store.rows("SELECT peer, wait_ns FROM peer_arrival WHERE collective_id = 0")) == {
        1: 5615692,
        2: 0,
        3: 20,
        4: 4674513,
        5: 78764614,
        6: 0,
        7: 14540,
    }
    assert store.one("SELECT count(*), sum(dur) FROM gap WHERE kind = 'device'") == (103, 29474322)


TIMELINES = sorted(
    path
    for path in (SHARED / "data").rglob("*")
    if path.is_file()
    and (
        path.name in {"trace_view.json", "ascend_timeline_display_0.json"}
        or path.parent.name in {"chrome", "gpu", "timeline"}
    )
)


@pytest.mark.parametrize("path", TIMELINES, ids=lambda path: "/".join(path.parts[-2:]))
def test_every_slice_of_every_timeline_is_kept_or_counted(
    shared_data: Path, real: Ingest, path: Path
) -> None:
    assert path.is_relative_to(shared_data)
    expected = [event for event in events(path) if event.get("ph") == "X"]
    if not any(event.get("ph") for event in events(path)):
        # Refused with a reason, and rightly: there is nothing to see in it.
        with pytest.raises(UnsupportedProfile, match=re.escape(path.name)):
            real(path)
        return
    store = real(path)
    count, ts, dur = store.one(
        "SELECT count(*), coalesce(sum(ts), 0)::HUGEINT, coalesce(sum(dur), 0)::HUGEINT"
        " FROM slice WHERE phase = 'X'"
    )
    lost = store.noticed()
    assert not {"missing_ts", "ts_unreadable", "event_malformed"} & set(lost)
    assert count == len(expected)
    assert ts == sum(nanoseconds(event["ts"]) for event in expected)
    assert dur == sum(max(0, nanoseconds(event.get("dur") or 0)) for event in expected)


def test_a_profile_of_2023_has_ten_iterations_on_the_clock_of_the_machine(
    shared_data: Path, real: Ingest
) -> None:
    store = real(shared_data / "msprof_2023")
    assert [rank.rank for rank in store.store.ranks] == [0, 1]
    for rank in (0, 1):
        assert store.rows("SELECT step, source FROM step ORDER BY ts", rank) == [
            (number, "step_trace") for number in range(1, 11)
        ]
        assert store.one("SELECT clock, clock_offset FROM profile", rank) == ("boot", None)
        assert store.one("SELECT count(*), count(src_ts), count(dst_ts) FROM flow", rank) == (
            10,
            10,
            10,
        )
        assert store.one("SELECT count(*), count(slice_id) FROM kernel", rank) == (1400, 1400)
        noticed = store.noticed(rank)
        assert noticed["same_events_as_primary"] == 3380 + 4900 + 40 + 20
        assert noticed["duplicate_source"] == 9
    # hccl_*, task_time_* and step_trace_* repeat what the ten msprof_* hold.
    assert store.one("SELECT count(*) FROM slice") == 10838


def test_a_table_without_its_timeline_still_answers(shared_data: Path, real: Ingest) -> None:
    store = real(shared_data / "msprof_analyze" / "kernel_details.csv")
    assert store.one("SELECT count(*), count(slice_id) FROM kernel") == (591, 591)
    assert store.one("SELECT sum(total) FROM operator_total") == store.one(
        "SELECT sum(dur) FROM kernel"
    )
