"""Builders with which a test describes a tiny trace or profile and gets files on disk.

A time is an int of nanoseconds or the exact decimal microseconds as text, which
goes into the file digit by digit::

    trace = TraceBuilder()
    kernel = trace.kernel("MatMul", ts=2_000, dur=500, connection_id=7)
    trace.launch(kernel, ts="1.000", dur="0.25")
    trace.step(50, ts=0, dur=10_000)
    trace.write(tmp_path / "trace_view.json")

    profile = torch_profile(tmp_path, rank=3)
    profile.trace.kernel("Add", ts=0, dur=5, stream=2)
    profile.csv("step_trace_time", "Step,Computing", [["50", "0.005"]])
    directory = profile.write()
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from build_event import Id, Lane, Slice, Time, Verbatim, event_text, us
from build_trace import NO_CONNECTION, NO_ID, TraceBuilder

__all__ = [
    "KERNEL_DETAILS",
    "NO_CONNECTION",
    "NO_ID",
    "STEP_TRACE_TIME",
    "Id",
    "Lane",
    "ProfileBuilder",
    "Slice",
    "Time",
    "TraceBuilder",
    "Verbatim",
    "csv_text",
    "event_text",
    "msprof_profile",
    "torch_profile",
    "us",
]

Row = Sequence[object] | Mapping[str, object]

KERNEL_DETAILS = (
    "Step Id,Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,"
    "Start Time(us),Duration(us),Wait Time(us),Block Dim,Mix Block Dim,HF32 Eligible,"
    "Input Shapes,Input Data Types,Input Formats,"
    "Output Shapes,Output Data Types,Output Formats,Context ID,"
    "aicore_time(us),aic_mac_ratio,aic_mte2_ratio,aiv_time(us),aiv_vec_ratio,aiv_mte2_ratio"
)
STEP_TRACE_TIME = (
    "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,"
    "Bubble,Communication(Not Overlapped and Exclude Receive),Preparing"
)


def csv_text(header: str | Sequence[str], rows: Iterable[Row], *, newline: str = "\r\n") -> str:
    """Return a CSV document; a row given as a mapping has N/A in the columns it leaves out."""
    names = header.split(",") if isinstance(header, str) else list(header)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator=newline)
    writer.writerow(names)
    for row in rows:
        if isinstance(row, Mapping):
            if unknown := row.keys() - set(names):
                raise ValueError(f"no such column: {', '.join(sorted(unknown))}")
            row = [row.get(name, "N/A") for name in names]  # noqa: PLW2901 - one shape from here on
        writer.writerow(row)
    return out.getvalue()


class ProfileBuilder:
    """A profile directory: its trace, its tables and whatever else lies in it.

    ``trace`` is written only when it has events. Nothing is on disk before ``write``.
    """

    def __init__(
        self,
        path: Path,
        trace: TraceBuilder,
        *,
        trace_file: str,
        table_file: str,
        newline: str,
    ) -> None:
        self.path = path
        self.trace = trace
        self._trace_file = trace_file
        self._table_file = table_file
        self._newline = newline
        self._files: dict[str, bytes] = {}

    def file(self, relative: str, content: str | bytes) -> None:
        """Put a file into the profile, its path relative to the directory."""
        self._files[relative] = content.encode() if isinstance(content, str) else content

    def json(self, relative: str, content: object) -> None:
        """Put a JSON document into the profile."""
        self.file(relative, json.dumps(content))

    def csv(
        self,
        name: str,
        header: str | Sequence[str],
        rows: Iterable[Row],
        *,
        newline: str | None = None,
        part: int | None = None,
    ) -> None:
        """Put a table where the profiler has it, named without suffix (``kernel_details``).

        ``newline`` is the producer's own unless given; ``part`` names a ``_slice_<k>``.
        """
        base = name if part is None else f"{name}_slice_{part}"
        ending = self._newline if newline is None else newline
        self.file(self._table_file.format(base), csv_text(header, rows, newline=ending))

    def write(self) -> Path:
        """Write everything and return the profile's directory."""
        self.path.mkdir(parents=True, exist_ok=True)
        if self.trace.events:
            self.trace.write(self.path / self._trace_file)
        for relative, content in self._files.items():
            file = self.path / relative
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        return self.path


def torch_profile(
    parent: Path,
    *,
    rank: int | None = 0,
    level: str | None = "Level1",
    worker: str = "node-1",
    pid: int = 4242,
    stamp: str = "20260101101010123",
    world_size: int | None = None,
    groups: Mapping[str, Sequence[int]] | None = None,
    switches: Mapping[str, object] | None = None,
) -> ProfileBuilder:
    """Begin a ``*_ascend_pt`` profile of torch_npu.

    ``rank=None`` names no rank, ``level=None`` leaves profiler_info out; ``switches`` go to its
    experimental_config, ``groups`` are the ranks of communication groups by name. Ranks of one
    job lie in one parent: each has its own directory name.
    """
    number = rank or 0
    output = "ASCEND_PROFILER_OUTPUT"
    profile = ProfileBuilder(
        parent / f"{worker}_{pid + number}_{stamp}_ascend_pt",
        TraceBuilder(os_pid=pid + number, device=number % 8),
        trace_file=f"{output}/trace_view.json",
        table_file=output + "/{}.csv",
        newline="\r\n",
    )
    if level is not None:
        info: dict[str, object] = {
            "config": {
                "common_config": {"activities": ["ProfilerActivity.CPU", "ProfilerActivity.NPU"]},
                "experimental_config": {"_profiler_level": level, **(switches or {})},
            },
            "start_info": {"syscnt_enable": True, "freq": 100},
        }
        if rank is not None:
            info["rank_id"] = rank
        suffix = "" if rank is None else f"_{rank}"
        profile.json(f"profiler_info{suffix}.json", info)
    metadata: dict[str, object] = {}
    if world_size is not None:
        metadata["distributed_args"] = {"rank": rank, "world_size": world_size}
    if groups is not None:
        metadata["parallel_group_info"] = {
            name: {"group_name": "", "group_rank": 0, "global_ranks": list(ranks)}
            for name, ranks in groups.items()
        }
    if metadata:
        profile.json("profiler_metadata.json", metadata)
    return profile


def msprof_profile(
    parent: Path,
    *,
    device: int = 0,
    stamp: str = "20260101101010",
    layout: str = "new",
    rank: int = -1,
    model: int = 1,
    iteration: int = 1,
    monotonic_start_ns: int = 1_000_000_000,
    epoch_start_us: int = 1_767_262_210_000_000,
) -> ProfileBuilder:
    """Begin a ``PROF_*`` profile of msprof.

    ``layout="new"`` has everything in mindstudio_profiler_output under an export stamp of 14
    digits; ``"old"`` has device_<N>/timeline and summary, names with device, model and iteration,
    and timestamps as numbers since boot, which start_info relates to the wall clock.
    """
    new = layout == "new"
    numbers = f"{device}_{model}_{iteration}"
    profile = ProfileBuilder(
        parent / f"PROF_00000{device + 1}_{stamp}123_ABCDEFGHIJKLMNOP",
        TraceBuilder(device=device, ts="text" if new else "number"),
        trace_file=(
            f"mindstudio_profiler_output/msprof_{stamp}.json"
            if new
            else f"device_{device}/timeline/msprof_{numbers}.json"
        ),
        table_file=(
            f"mindstudio_profiler_output/{{}}_{stamp}.csv"
            if new
            else f"device_{device}/summary/{{}}_{numbers}.csv"
        ),
        newline="\n",
    )
    info = {"hostUid": "1234567890", "hostname": "node-1", "pid": "4242", "rank_id": rank}
    started = {
        "clockMonotonicRaw": str(monotonic_start_ns),
        "collectionTimeBegin": str(epoch_start_us),
    }
    profile.json("host/info.json", {**info, "DeviceInfo": [], "devices": ""})
    profile.json("host/start_info", started)
    devices = {"DeviceInfo": [{"id": device, "ai_core_num": 24}], "devices": str(device)}
    profile.json(f"device_{device}/info.json.{device}", {**info, **devices})
    profile.json(f"device_{device}/start_info.{device}", started)
    return profile
