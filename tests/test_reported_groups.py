"""Communication groups that other programs mixed up."""

from pathlib import Path

from build import TraceBuilder
from conftest import Ingest


def test_a_group_without_a_name_goes_by_the_number_of_its_lane(
    tmp_path: Path, ingest: Ingest
) -> None:
    trace = TraceBuilder()
    for start, group in ((0, "hccl_world_group"), (1000, "")):
        trace.collective(start, 100, group=group, waits={1: (start, 40)}, moves=[(1, start, 90)])
    store = ingest(trace.write(tmp_path / "t.json"))
    assert store.rows('SELECT "group", last_number, transfer_ns FROM collective') == [
        ("hccl_world_group", 1, 90),
        ("100", 1, 90),
    ]
    assert store.rows("SELECT \"group\" FROM track WHERE kind = 'plane' ORDER BY 1") == [
        ("100",),
        ("hccl_world_group",),
    ]
