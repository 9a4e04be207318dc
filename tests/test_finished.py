"""Finished tables: how they are written when not all goes well."""

import threading
import time
from pathlib import Path

import pytest

from npuview.ingest.engine import Engine
from npuview.ingest.errors import IngestError
from npuview.ingest.finished import FinishedTables


def test_after_one_table_failed_no_further_one_is_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []

    def write(self: FinishedTables, engine: Engine, table: object) -> int:  # noqa: ARG001 # as the method
        name: str = getattr(table, "name")  # noqa: B009 # of a private type
        if name == "slice":
            raise IngestError("no room")
        time.sleep(0.02)
        written.append(name)
        return 0

    monkeypatch.setattr(FinishedTables, "_write", write)
    main = Engine.open(tmp_path, threads=1, spill=tmp_path / "spill", stop=threading.Event())
    engines = [main.branch(), main.branch()]
    tables = FinishedTables(engines, tmp_path)
    for number in range(100):
        tables.add(f"table{number}", "SELECT 1")
    tables.add_longest("slice", "SELECT 1", shape=lambda rows: rows, parameters={})
    with pytest.raises(IngestError, match="no room"):
        tables.rows()
    for engine in (*engines, main):
        engine.close()
    assert len(written) < 100
