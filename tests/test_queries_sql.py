"""What the SQL view and the list of moves ask: a gap, and what the device did at its edges."""

from pathlib import Path

from device_store import device_store
from store_build import ask

from npuview.queries.rows_timeline import GapRow


def test_a_gap_is_found_by_its_id(tmp_path: Path) -> None:
    builder = device_store(tmp_path, planes=True)
    builder.add("gap", gap_id=4, device_id=0, kind="device", step=1, ts=130, dur=70)
    store = builder.build()
    assert ask(store, "gap", gap_id=4) == [GapRow(4, 0, 0, "device", 1, 130, 70)]
    assert ask(store, "gap", gap_id=5) == []
