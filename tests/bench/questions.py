"""How long every question takes on a long timeline, and the first overview of it.

Run by ``make bench``; nothing here is asserted. A question is asked of one step in the
middle, as the app does, and of the whole run; the median of several times counts.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from long_trace import write_long_trace

from npuview.ingest.errors import NpuviewError
from npuview.ingest.pipeline import open_store
from npuview.queries.catalog import shipped_queries
from npuview.queries.findings import find
from npuview.queries.query import Query
from npuview.queries.rules import load_rules
from npuview.queries.session import Session

BAR_MS = 100
ROWS = 50
IDENTIFIERS = """
    SELECT
      coalesce(
        (SELECT min(slice_id) FROM launch_link), (SELECT min(slice_id) FROM slice)
      ) AS slice_id,
      coalesce(
        (SELECT min(kernel_id) FROM kernel_metric), (SELECT min(kernel_id) FROM kernel)
      ) AS kernel_id,
      (SELECT min(gap_id) FROM gap) AS gap_id,
      (SELECT quantile_disc(step, 0.5) FROM step) AS step,
      (SELECT min(arg_set_id) FROM slice) AS arg_set_id,
      (SELECT min(level) + 2 FROM lod) AS level,
      (SELECT track_id FROM slice ORDER BY slice_id LIMIT 1) AS track_id,
      (SELECT ts + dur // 2 FROM profile ORDER BY rank LIMIT 1) AS ts,
      (SELECT ts + dur // 2 FROM profile ORDER BY rank LIMIT 1) AS from_ts,
      (SELECT ts + dur // 2 + dur // 100 FROM profile ORDER BY rank LIMIT 1) AS to_ts
"""


def median_ms(runs: int, ask: Callable[[], object]) -> float:
    """Return the median length of some calls, after one that does not count."""
    ask()
    times: list[float] = []
    for _ in range(runs):
        begun = time.perf_counter()
        ask()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)


def told_ms(runs: int, ask: Callable[[], object]) -> str:
    """Return the median as a cell of the table, or why there is none."""
    try:
        took = median_ms(runs, ask)
    except NpuviewError as error:
        # One that cannot be answered says nothing of those behind it.
        return "failed: " + str(error).partition("\n")[0]
    return f"{took:.1f}{' over' if took > BAR_MS else ''}"


def given(query: Query, known: dict[str, Any]) -> dict[str, object]:
    """Return values for what a question must be told; None for what the profile lacks."""
    values: dict[str, object] = {
        one.name: known.get(one.name) for one in query.params if one.required
    }
    if any(one.name == "limit" for one in query.params):
        values["limit"] = ROWS
    return values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, default=1000, help="size of the made-up timeline")
    parser.add_argument("--file", type=Path, help="this timeline instead")
    parser.add_argument("--runs", type=int, default=5)
    wanted = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="npuview-bench-"))
    try:
        trace = wanted.file or work / "trace_view.json"
        if not wanted.file:
            write_long_trace(trace, wanted.mb)
        _measure(trace, work / "cache", wanted.runs)
    finally:
        shutil.rmtree(work)


def _measure(trace: Path, cache: Path, runs: int) -> None:
    store = open_store(trace, cache_dir=cache).store
    npuview = Path(sys.executable).with_name("npuview")
    command = [npuview, "overview", trace, "--cache-dir", cache]
    overview = median_ms(runs, lambda: subprocess.run(command, check=True, capture_output=True))
    with Session(store) as session:
        names = [column.name for column in session.sql(IDENTIFIERS).columns]
        known = dict(zip(names, session.sql(IDENTIFIERS).rows[0], strict=True)) | {"text": "mat"}
        counted = session.sql(
            "SELECT (SELECT count(*) FROM slice), (SELECT count(*) FROM stall),"
            " (SELECT quantile_disc(step, 0.5) FROM step)"
        )
        slices, stalls, step = (int(str(value)) for value in counted.rows[0])
        book = load_rules()
        print(f"{slices:,} slices, {stalls:,} stalls\n")
        print(f"first overview, a process of its own: {overview:.0f} ms")
        for name, one in (("run", None), ("step", step)):
            took = median_ms(runs, lambda one=one: find(session, book, step=one))
            print(f"findings of the {name}: {took:.0f} ms")
        print("\n| question | one step, ms | whole run, ms |\n|---|---|---|")
        for name, query in shipped_queries().items():
            params = given(query, known)
            lacking = [one for one, value in params.items() if value is None]
            if lacking:
                print(f"| {name} | | no {', '.join(lacking)} to ask for |")
                continue
            whole = told_ms(runs, lambda: session.run(query, params))  # noqa: B023 # at once
            in_step = ""
            if any(one.name == "step" for one in query.params):
                within = {**params, "step": step}
                in_step = told_ms(runs, lambda: session.run(query, within))  # noqa: B023 # at once
            print(f"| {name} | {in_step} | {whole} |")


if __name__ == "__main__":
    main()
