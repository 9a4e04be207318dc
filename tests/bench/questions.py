"""How long every question takes on a long timeline, and the first overview of it.

Run by ``make bench``; nothing here is asserted. A question is asked of one step in the
middle, as the app does, and of the whole run; the median of several times counts. On a
machine that others work on, ``--cpu`` counts what one thread worked instead.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from long_trace import write_long_trace

from npuview.ingest.errors import NpuviewError
from npuview.ingest.pipeline import open_store
from npuview.queries.catalog import shipped_queries
from npuview.queries.findings import find, rule_queries
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


@dataclass(frozen=True, slots=True)
class Watch:
    """How calls are timed: how often, and by which clock."""

    runs: int
    clock: Callable[[], float]

    def median_ms(self, ask: Callable[[], object]) -> float:
        """Return the median length of some calls, after one that does not count."""
        ask()
        times: list[float] = []
        for _ in range(self.runs):
            begun = self.clock()
            ask()
            times.append((self.clock() - begun) * 1000)
        return statistics.median(times)

    def told_ms(self, ask: Callable[[], object]) -> str:
        """Return the median as a cell of the table, or why there is none."""
        try:
            took = self.median_ms(ask)
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
    parser.add_argument("--file", type=Path, help="this profile, timeline or store instead")
    parser.add_argument("--cache-dir", type=Path, help="where its store is, or shall stay")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cpu", action="store_true", help="CPU time of one thread")
    parser.add_argument("--only", nargs="*", default=[], help="only these questions and rules")
    wanted = parser.parse_args()
    watch = Watch(wanted.runs, time.process_time if wanted.cpu else time.perf_counter)
    work = Path(tempfile.mkdtemp(prefix="npuview-bench-"))
    try:
        trace = wanted.file or work / "trace_view.json"
        if not wanted.file:
            write_long_trace(trace, wanted.mb)
        cache = wanted.cache_dir or work / "cache"
        store = open_store(trace, cache_dir=cache).store
        if not wanted.cpu and not wanted.only:
            npuview = Path(sys.executable).with_name("npuview")
            command = [npuview, "overview", trace, "--cache-dir", cache]
            took = watch.median_ms(
                partial(subprocess.run, command, check=True, capture_output=True)
            )
            print(f"first overview, a process of its own: {took:.0f} ms")
        with Session(store, threads=1 if wanted.cpu else None) as session:
            _measure(session, watch, set(wanted.only))
    finally:
        shutil.rmtree(work)


def _measure(session: Session, watch: Watch, only: set[str]) -> None:
    names = [column.name for column in session.sql(IDENTIFIERS).columns]
    known = dict(zip(names, session.sql(IDENTIFIERS).rows[0], strict=True)) | {"text": "mat"}
    counted = session.sql(
        "SELECT (SELECT count(*) FROM slice), (SELECT count(*) FROM kernel),"
        " (SELECT count(*) FROM stall)"
    )
    slices, kernels, stalls = (int(str(value)) for value in counted.rows[0])
    print(f"{slices:,} slices, {kernels:,} kernels, {stalls:,} stalls\n")
    book = load_rules()
    step = None if known["step"] is None else int(str(known["step"]))
    for name, one in (("run", None), ("step", step)):
        if not only:
            took = watch.median_ms(partial(find, session, book, step=one))
            print(f"findings of the {name}: {took:.0f} ms")
    thresholds = {name: value for rule in book.rules for name, value in book.values(rule).items()}
    print("\n| question | one step, ms | whole run, ms |\n|---|---|---|")
    rules = {f"findings/{name}": query for name, query in rule_queries().items()}
    for name, query in {**shipped_queries(), **rules}.items():
        if only and name not in only:
            continue
        params = given(query, known | thresholds)
        lacking = [one for one, value in params.items() if value is None]
        if lacking:
            print(f"| {name} | | no {', '.join(lacking)} to ask for |")
            continue
        whole = watch.told_ms(partial(session.run, query, params))
        in_step = ""
        if any(one.name == "step" for one in query.params):
            in_step = watch.told_ms(partial(session.run, query, {**params, "step": step}))
        print(f"| {name} | {in_step} | {whole} |", flush=True)


if __name__ == "__main__":
    main()
