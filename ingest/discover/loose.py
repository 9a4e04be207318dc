"""Timelines and tables that lie somewhere, without the folders that the profilers make."""

from pathlib import Path

from ..folder import Folder, relative_name
from ..notice import Notice
from ..profile import Producer, TableFile, TimelineFile
from ..read.headers import parse_header, table_kind
from .content import DEEP_SEARCH_BYTES, Content, first_rows, look_into
from .failures import failures
from .generations import parse_name
from .identity import Identity, trace_identity
from .layouts import Claim, Found, found_profile
from .output import MINDSPORE_TIMELINE, MSPROF_TIMELINE, TORCH_TIMELINE, Output, OutputReader


def loose_output(folder: Folder, root: Path) -> Claim | None:
    """Find exported files without the folders that the profilers put around them."""
    names = {path: name for path in folder.files if (name := parse_name(path)) is not None}
    torch = [
        path for path, name in names.items() if name.base == TORCH_TIMELINE and not name.numbers
    ]
    if not torch and not any(
        (name.base == MSPROF_TIMELINE and name.type == "json")
        or (name.type == "csv" and _is_kernel_table(path))
        for path, name in names.items()
    ):
        found = OutputReader(folder.path, TORCH_TIMELINE, fills=False).read((), folder.others)
        return _lost(found, folder.path, root)
    files = [
        path
        for path in folder.files
        if path in torch or path not in names or names[path].base != TORCH_TIMELINE
    ]
    primary = TORCH_TIMELINE if torch else MSPROF_TIMELINE
    found = OutputReader(folder.path, primary, fills=not torch).read(files, folder.others)
    if found.empty:
        return _lost(found, folder.path, root)
    made_by_torch = torch or any(table.name == "kernel_details" for table in found.tables)
    producer: Producer = "torch_npu" if made_by_torch else "msprof"
    return Claim((found_profile(folder.path, producer, found, Identity()),))


def foreign_traces(folder: Folder, root: Path) -> Claim | None:
    """Find trace files of any other origin: each is a profile of its own."""
    found: list[Found] = []
    notices: list[Notice] = []
    for file in folder.files:
        if file.suffix.lower() not in {".json", ".gz", ".zip"}:
            continue
        content = look_into(file, DEEP_SEARCH_BYTES)
        if content.kind == "timeline":
            found.append(timeline_profile(file, content))
        elif content.kind in {"unreadable", "damaged", "utf-16"} and _is_named_json(file):
            sentence = content.about or "UTF-16 text; expected UTF-8"
            name = relative_name(file, root)
            notices.append(Notice(name, "file_unreadable", "error", sample=sentence))
    return Claim(tuple(found), tuple(notices)) if found or notices else None


def timeline_profile(file: Path, content: Content) -> Found:
    """Return the profile that a single timeline file is."""
    name = parse_name(file)
    base = name.base if name is not None else ""
    rank = None
    if name is not None and base == MINDSPORE_TIMELINE and len(name.numbers) == 1:
        (rank,) = name.numbers
    identity = trace_identity(file, content.head, rank)
    timeline = TimelineFile(file, "primary", content.member)
    return found_profile(file, _writer(base, content), Output((timeline,)), identity)


def table_profile(file: Path, content: Content) -> Found | None:
    """Return the profile that a single table of kernels is; None for other tables."""
    rows = first_rows(content.head, 2)
    if len(rows) < 2 or table_kind(rows[0]) != "kernels":
        return None
    name = parse_name(file)
    table = TableFile(name.base if name is not None else file.stem, "kernels", (file,))
    torch = any(parse_header(header).name == "accelerator core" for header in rows[0])
    producer: Producer = "torch_npu" if torch else "msprof"
    return found_profile(file, producer, Output((), (table,)), Identity())


def _writer(base: str, content: Content) -> Producer:
    if base == TORCH_TIMELINE:
        return "torch_npu"
    if base == MINDSPORE_TIMELINE:
        return "mindspore"
    if base == MSPROF_TIMELINE or b"Ascend Hardware" in content.head:
        return "msprof"
    return "chrome"


def _lost(found: Output, path: Path, root: Path) -> Claim | None:
    notices = failures(found.notices, path, root)
    return Claim(notices=notices) if notices else None


def _is_named_json(path: Path) -> bool:
    return path.name.lower().endswith((".json", ".json.gz"))


def _is_kernel_table(path: Path) -> bool:
    rows = first_rows(look_into(path).head, 2)
    return len(rows) == 2 and table_kind(rows[0]) == "kernels"
