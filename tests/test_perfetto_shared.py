"""Real profiles, exported, as Perfetto's own trace_processor and npuview read them back."""

from pathlib import Path
from typing import Any

import pytest
from conftest import Ingest
from trace_processor import ask_perfetto, needs_perfetto

from npuview.queries.perfetto import export
from npuview.queries.selection import Scope, Selection, StepScope, WholeScope
from npuview.queries.session import Session

SLICES = "SELECT ts, dur, name, phase IN ('i', 'n') FROM slice"
ARROWS = """
SELECT
  IF(f.name LIKE '% (reversed)', [d.ts, s.ts], [s.ts, d.ts]),
  IF(f.name LIKE '% (reversed)', [d.name, s.name], [s.name, d.name])
FROM flow AS f
JOIN slice AS s ON s.slice_id = f.src_slice_id
JOIN slice AS d ON d.slice_id = f.dst_slice_id
"""
SUMS = "SELECT sum(ts), sum(dur) FROM slice"

pytestmark = pytest.mark.shared


def rows(session: Session, sql: str) -> list[Any]:
    return session.cursor().execute(sql).fetchall()


@needs_perfetto
@pytest.mark.parametrize(
    ("path", "scope"),
    [
        ("torch_npu/level1/rank0_ascend_pt", WholeScope()),
        ("torch_npu/level2/rank1_ascend_pt", StepScope(50)),
        ("msprof_analyze", WholeScope()),
        ("gpu/benchmark_result_2869224_1695835535_trace.json.gz", WholeScope()),
        ("chrome/nestable_async.json", WholeScope()),
    ],
)
def test_perfetto_keeps_everything_of_a_real_profile(
    real: Ingest, shared_data: Path, tmp_path: Path, path: str, scope: Scope
) -> None:
    out = tmp_path / "out.json"
    with Session(real(shared_data / path).store) as session:
        report = export(session, Selection(scope), out)
        [stored] = rows(
            session,
            f"SELECT count(*), sum(ts - {report.offset_ns})::VARCHAR, sum(dur)::VARCHAR FROM slice",
        )
    answer = ask_perfetto(out, SUMS)
    assert answer["problems"] == {}
    assert answer["slices"] == report.slices + report.instants
    assert answer["flows"] == report.flows
    assert answer["counters"] == report.counters
    if isinstance(scope, WholeScope):
        assert (answer["slices"], *answer["sql"][SUMS][0]) == stored


@pytest.mark.parametrize(
    "path",
    [
        "torch_npu/level1/rank0_ascend_pt",
        "msprof_analyze",
        "gpu/benchmark_result_2869224_1695835535_trace.json.gz",
    ],
)
def test_an_export_that_is_read_again_is_the_same_in_every_ns(
    ingest: Ingest, shared_data: Path, tmp_path: Path, path: str
) -> None:
    out = tmp_path / "out.json"
    with Session(ingest(shared_data / path).store) as session:
        offset = export(session, Selection(), out).offset_ns
        slices = rows(session, SLICES)
        arrows = rows(session, ARROWS)
    with Session(ingest(out).store) as session:
        again = rows(session, SLICES.replace("ts,", f"ts + {offset},", 1))
        arrows_again = rows(session, ARROWS)
    assert sorted(again) == sorted(slices)
    assert sorted(
        ([ts + offset for ts in instants], names) for instants, names in arrows_again
    ) == sorted(arrows)
