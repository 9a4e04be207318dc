"""A store in which every column of text would steer the terminal."""

from pathlib import Path

from store_build import StoreBuilder

from npuview.ingest.schema import TABLES

BAD = "\x1b[31m\x1b]0;title\x07\x9b8m\u202e\u200b\x0d\x08\ue000"

FIGURES = {
    "profile": {"ts": 0, "dur": 9_000, "rank_known": True, "device_id": 0, "world_size": 2},
    "track": {"track_id": 1, "stream_id": 2, "device_id": 0, "sort_order": 1},
    "slice": {"slice_id": 1, "track_id": 1, "ts": 10, "dur": 500, "step": 1, "stream_id": 2},
    "step": {"step": 1, "ts": 0, "dur": 9_000, "device_ts": 10, "device_dur": 800},
    "ledger": {"step": 1, "dur": 9_000},
    "kernel": {"kernel_id": 1, "slice_id": 1, "step": 1, "ts": 10, "dur": 500},
    "gap": {
        "gap_id": 1,
        "device_id": 0,
        "step": 1,
        "ts": 510,
        "dur": 300,
        "wait_ns": 0,
        "idle_ns": 300,
        "prev_slice_id": 1,
    },
    "collective": {"collective_id": 1, "slice_id": 1, "step": 1, "ts": 10, "dur": 500},
    "operator_total": {"step": 1, "count": 1, "total": 500, "min": 500, "max": 500},
    "import_stat": {"count": 2, "first_offset": 7},
}
JSON = {"versions": '{"cann": "BAD"}', "switches": '{"_with_stack": "BAD"}'}
WORDS = {
    "kind": "stream",
    "class": "compute",
    "state": "idle",
    "clock": "boot",
    "producer": "torch_npu",
    "phase": "X",
}
"""Words that decide which question a row answers to."""

KINDS = {"gap": "device", "step": "train"}


def store_of(folder: Path, *, words: bool) -> Path:
    """Write a store with hostile text in every column of text, or in all but its words."""
    builder = StoreBuilder(folder).rank(0)
    for name, figures in FIGURES.items():
        row: dict[str, str | int] = {}
        for column in TABLES[name].columns:
            if column.type == "VARCHAR":
                row[column.name] = f"{name}_{column.name}{BAD}"
                if column.name in JSON:
                    row[column.name] = JSON[column.name].replace("BAD", r"bad\u001b[31m\u202e")
                elif words and column.name in WORDS:
                    row[column.name] = KINDS.get(name, WORDS[column.name])
        known = {key: value for key, value in figures.items() if key in TABLES[name].column_names}
        builder.add(name, **row, **known)
    return builder.build().path
