from pathlib import Path

import pytest
from discovered import names, notices, refusal, the_profile

from npuview.ingest.discover import find_profiles
from npuview.ingest.errors import UnsupportedProfile

pytestmark = pytest.mark.shared

LEVEL0 = {
    "kernel_details",
    "l2_cache",
    "memory_record",
    "npu_module_mem",
    "operator_details",
    "operator_memory",
    "step_trace_time",
}


@pytest.mark.parametrize("level", [0, 1, 2])
def test_torch_npu_of_every_level(shared_data: Path, level: int) -> None:
    found = find_profiles(shared_data / "torch_npu" / f"level{level}")
    assert [(one.rank, one.rank_known, one.level) for one in found] == [
        (0, True, f"Level{level}"),
        (1, True, f"Level{level}"),
    ]
    for profile in found:
        assert [one.path.name for one in profile.timelines] == ["trace_view.json"]
        more = {"api_statistic", "op_statistic"} if level else set[str]()
        assert set(names(profile)) == LEVEL0 | more
        assert profile.switches["_l2_cache"] is True


def test_several_levels_at_once_are_refused(shared_data: Path) -> None:
    message = refusal(shared_data / "torch_npu")
    assert all(f"level{level}/rank0_ascend_pt" in message for level in range(3))


def test_a_rank_without_timeline_is_found(shared_data: Path) -> None:
    profile = the_profile(shared_data / "torch_npu_edited_rank0")
    assert (profile.rank, profile.rank_known, profile.timelines) == (0, True, ())
    assert names(profile).keys() >= {"kernel_details", "step_trace_time"}
    assert [one.kind for one in profile.figures] == ["collectives", "links"]
    assert notices(profile, "not_read") == {}


def test_two_devices_of_ten_iterations(shared_data: Path) -> None:
    found = find_profiles(shared_data / "msprof_2023")
    assert [(one.rank, one.device_id) for one in found] == [(0, 0), (1, 1)]
    for profile in found:
        assert profile.host == "A2007104679"
        assert profile.clock_start is None
        primary = [one.path.stem for one in profile.timelines if one.role == "primary"]
        assert [int(name.rpartition("_")[2]) for name in primary] == list(range(1, 11))
        fill = [one.path.name for one in profile.timelines if one.role == "fill"]
        assert len(fill) == 21
        assert sum(name.startswith("step_trace") for name in fill) == 1


def test_loose_files_of_msprof_analyze(shared_data: Path) -> None:
    profile = the_profile(shared_data / "msprof_analyze")
    assert (profile.producer, profile.rank_known) == ("torch_npu", False)
    assert names(profile) == {"kernel_details": ["kernel_details.csv"]}


@pytest.mark.parametrize(
    ("folder", "words"),
    [("cluster", "open the folder that holds the ranks"), ("torch_npu_db", "SQLite")],
)
def test_what_is_not_read_is_named(shared_data: Path, folder: str, words: str) -> None:
    assert words in refusal(shared_data / folder)


def test_every_trace_of_other_origin_opens_alone(shared_data: Path) -> None:
    refused: list[str] = []
    files = [
        file
        for folder in ("chrome", "gpu", "mindspore")
        for file in sorted((shared_data / folder).iterdir())
    ]
    assert len(files) > 30
    for file in files:
        try:
            profile = the_profile(file)
        except UnsupportedProfile:
            refused.append(file.name)
            continue
        assert profile.producer == ("mindspore" if "ascend_timeline" in file.name else "chrome")
    # Spans of another service, no trace events.
    assert refused == ["google_cloud_trace.json"]
    assert the_profile(shared_data / "gpu" / "sampled_rank-0.json.gz").world_size == 128
