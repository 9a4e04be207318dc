from itertools import chain
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from npuview.ingest.discover.generations import FileName, newest_exports, parse_name


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("trace_view.json", FileName("trace_view", "json", (), 0, "")),
        ("op_summary_20260101100000.csv", FileName("op_summary", "csv", (), 0, "20260101100000")),
        ("msprof_slice_3_20260101100000.json", FileName("msprof", "json", (), 3, "20260101100000")),
        ("msprof_0_2_1_slice_1.json", FileName("msprof", "json", (0, 2, 1), 1, "")),
        ("op_summary_0_1.csv", FileName("op_summary", "csv", (0, 1), 0, "")),
        (
            "op_summary_0_2_1_20260101100000.csv",
            FileName("op_summary", "csv", (0, 2, 1), 0, "20260101100000"),
        ),
        ("aicpu_mi_20260101100000.csv", FileName("aicpu_mi", "csv", (), 0, "20260101100000")),
        ("msprof_tx_20260101100000.json", FileName("msprof_tx", "json", (), 0, "20260101100000")),
        ("l2_cache.csv", FileName("l2_cache", "csv", (), 0, "")),
        ("npu_module_mem_0_1.csv", FileName("npu_module_mem", "csv", (0, 1), 0, "")),
        ("trace_view.json.gz", FileName("trace_view", "json", (), 0, "")),
        ("README.txt", None),
        ("start_info.0", None),
        ("info.json.0", None),
    ],
)
def test_a_file_name_is_taken_apart_as_a_whole(file: str, expected: FileName | None) -> None:
    assert parse_name(Path(file)) == expected


def newest(*files: str) -> dict[str, list[str]]:
    return {
        export.name.base: [path.name for path in export.paths]
        for export in newest_exports(map(Path, files))
    }


def test_names_with_a_common_beginning_are_different_files() -> None:
    assert newest("aicpu_20260101100000.csv", "aicpu_mi_20260101110000.csv") == {
        "aicpu": ["aicpu_20260101100000.csv"],
        "aicpu_mi": ["aicpu_mi_20260101110000.csv"],
    }


def test_json_and_csv_of_one_export_may_differ_in_stamp() -> None:
    files = ["msprof_20260101100004.json", "op_summary_20260101100005.csv"]
    assert [file for parts in newest(*files).values() for file in parts] == files


def test_parts_that_stamp_themselves_are_one_export() -> None:
    parts = ["op_summary_20260101100000.csv", "op_summary_slice_1_20260101100003.csv"]
    assert newest(*parts) == {"op_summary": parts}


def test_a_part_that_is_missing_is_noticed() -> None:
    (export,) = newest_exports([Path("a_20260101100000.csv"), Path("a_slice_3_20260101100001.csv")])
    assert export.missing == (1, 2)


def part_name(part: int, stamp: int, *, tag_first: bool) -> str:
    tag = f"_slice_{part}" if part or tag_first else ""
    return f"op_summary{tag}_{20260101100000 + stamp}.csv"


@given(
    st.lists(st.tuples(st.integers(1, 12), st.booleans(), st.booleans()), min_size=1, max_size=4),
    st.randoms(use_true_random=False),
)
def test_of_any_exports_the_last_is_kept_with_all_its_parts(
    exports: list[tuple[int, bool, bool]], shuffle: Random
) -> None:
    files: list[list[str]] = []
    stamp = 0
    for parts, own_stamps, tag_first in exports:
        stamp += 100
        files.append([])
        for part in range(parts):
            stamp += own_stamps
            files[-1].append(part_name(part, stamp, tag_first=tag_first))
    shuffled = [file for parts in files for file in parts]
    shuffle.shuffle(shuffled)
    (export,) = newest_exports(map(Path, shuffled))
    assert [path.name for path in export.paths] == files[-1]
    assert sorted(path.name for path in export.older) == sorted(chain(*files[:-1]))
    assert export.missing == ()
