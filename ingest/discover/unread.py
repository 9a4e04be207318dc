"""What npuview recognises and does not read, in a sentence that says what to do instead."""

import re
from pathlib import Path
from typing import Final

from ..folder import Folder, relative_name
from ..notice import Notice, Severity
from .content import Content, look_into

NOT_READ: Final = "not_read"

CLUSTER_FOLDER: Final = "cluster_analysis_output"

_NOT_YET: Final = "npuview does not read it yet"
_JSON_FILES: Final = (
    (
        re.compile(r"communication(_matrix)?\.json"),
        "figures of collectives; they are read with the profile in whose folder they lie",
    ),
    (
        re.compile(r"communication_group(?!\.json$).*\.json"),
        "communication groups of a cluster; they are read as communication_group.json",
    ),
    (
        re.compile(r"cluster_.*\.json"),
        f"figures that msprof-analyze made of a cluster; {_NOT_YET}",
    ),
    (re.compile(r"fusion_result.*\.json"), f"fusion results of the graph engine; {_NOT_YET}"),
)
_LOGS: Final = re.compile(r"(plog|device|host)-[0-9]+_[0-9]+\.log|.*npu[-_]?smi.*\.(log|txt)")
_LOG_TYPES: Final = (".log", ".txt", ".csv", ".out")
_GE_LINE: Final = re.compile(rb"\[(?:INFO|DEBUG|WARNING|ERROR|EVENT)\] (?:GE|FE|HCCL|RUNTIME)\(")
_NPU_SMI: Final = re.compile(rb"npu-smi|NpuID\(Idx\)")


def database(path: Path, root: Path) -> Notice:
    """Describe an SQLite export."""
    return _notice(
        path,
        root,
        "an SQLite database; npuview does not read it yet. Export text: torch_npu with"
        " export_type=ExportType.Text, or msprof --export=on --type=text",
    )


def raw_framework(path: Path, root: Path, kind: str) -> Notice:
    """Describe an *_ascend_* folder that nobody has parsed."""
    if kind == "ms":
        command = "from mindspore.profiler.profiler import analyse"
        # MindSpore asks for the folder above.
        return _notice(path, root, f'raw data, not parsed: {command}; analyse("{path.parent}")')
    command = "from torch_npu.profiler.profiler import analyse"
    return _notice(path, root, f'raw data, not parsed: {command}; analyse("{path}")')


def raw_msprof(path: Path, root: Path) -> Notice:
    """Describe a PROF folder that nobody has exported."""
    return _notice(path, root, f"raw data, not exported: msprof --export=on --output={path}")


def cluster_results(path: Path, root: Path) -> Notice:
    """Describe what msprof-analyze leaves beside the ranks."""
    return _notice(
        path,
        root,
        "results of msprof-analyze, without timelines; open the folder that holds the ranks'"
        " profiles",
    )


def linked_folder(path: Path, root: Path, *, severity: Severity = "info") -> Notice:
    """Describe a link that the search did not follow."""
    return Notice(
        relative_name(path, root),
        "link_not_followed",
        severity,
        sample="a symbolic link to a folder; give npuview the folder itself",
    )


def unreadable_folder(folder: Folder, root: Path) -> Notice:
    """Describe a folder that could not be listed."""
    return Notice(relative_name(folder.path, root), "file_unreadable", "error", sample=folder.error)


def describe(path: Path, root: Path, content: Content | None = None) -> Notice | None:
    """Describe a file that npuview knows and does not read; None for any other.

    Looks into it only if its name leaves it open, or ``content`` was given.
    """
    name = path.name.lower()
    for pattern, about in _JSON_FILES:
        if pattern.fullmatch(name):
            return _notice(path, root, about)
    if name.endswith(".db") or (content is not None and content.kind == "sqlite"):
        return database(path, root)
    if not name.endswith(_LOG_TYPES):
        return None
    head = (content or look_into(path)).head
    if _NPU_SMI.search(head) or (_LOGS.fullmatch(name) and "smi" in name):
        return _notice(path, root, f"output of npu-smi; {_NOT_YET}")
    if _LOGS.fullmatch(name) or _GE_LINE.search(head):
        return _notice(path, root, f"a CANN log; {_NOT_YET}")
    return None


def _notice(path: Path, root: Path, sentence: str) -> Notice:
    return Notice(relative_name(path, root), NOT_READ, "info", sample=sentence)
