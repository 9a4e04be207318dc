from pathlib import Path

import pytest
from build import (
    KERNEL_DETAILS,
    csv_text,
    msprof_profile,
    torch_profile,
)
from discovered import names, notices, the_profile, with_kernel

from npuview.ingest.discover import find_profiles
from npuview.ingest.profile import fingerprint

STAMP = "20260101101010"
OP_SUMMARY = "Device_id,Task ID,Stream ID,Op Name,Task Type,Task Start Time(us),Task Duration(us)"
OP_ROW = [["0", "1", "2", "Add", "AI_CORE", "5.000", "1.5"]]


def test_a_torch_profile_names_its_rank_host_level_and_files(tmp_path: Path) -> None:
    builder = with_kernel(torch_profile(tmp_path, rank=3, world_size=8, worker="my_node_1"))
    builder.csv("kernel_details", KERNEL_DETAILS, [{"Name": "Add", "Start Time(us)": "0.000"}])
    builder.csv("step_trace_time", "Step,Computing,Communication,Free", [["1", "1", "0", "2"]])
    builder.csv("memory_record", "Component,Timestamp(us),Total Reserved(MB)", [["APP", "1", "2"]])
    builder.csv("api_statistic", "Level,API Name,Count", [["acl", "aclnnAdd", "3"]])
    path = builder.write()
    profile = the_profile(path)
    assert (profile.producer, profile.rank, profile.rank_known) == ("torch_npu", 3, True)
    assert (profile.world_size, profile.host, profile.level) == (8, "my_node_1", "Level1")
    assert profile.switches["activities"] == ["ProfilerActivity.CPU", "ProfilerActivity.NPU"]
    assert [(one.path.name, one.role) for one in profile.timelines] == [
        ("trace_view.json", "primary")
    ]
    assert {table.name: table.kind for table in profile.tables} == {
        "kernel_details": "kernels",
        "step_trace_time": "step_figures",
        "memory_record": "memory_samples",
        "api_statistic": "summary",
    }
    assert profile.root == profile.path == path
    assert list(profile.files) == sorted(profile.files)
    assert {file.name for file in profile.files} >= {"profiler_info_3.json", "trace_view.json"}


@pytest.mark.parametrize(
    ("file", "content", "rank"),
    [
        ("profiler_info_3.json", {}, 3),
        ("profiler_info_3.json", {"rank_id": 5}, 3),
        ("profiler_info.json", {"rank_id": "3"}, 3),
        ("profiler_info.json", {"rank_id": 3}, 3),
        ("profiler_info.json", {"rank_id": -1}, None),
        ("profiler_info.json", {}, None),
    ],
)
def test_a_rank_is_read_from_the_name_or_the_text_of_profiler_info(
    tmp_path: Path, file: str, content: object, rank: int | None
) -> None:
    builder = with_kernel(torch_profile(tmp_path, level=None))
    builder.json(file, content)
    profile = the_profile(builder.write())
    assert (profile.rank, profile.rank_known) == (rank or 0, rank is not None)


def test_the_size_of_the_world_comes_from_the_group_of_all_ranks(tmp_path: Path) -> None:
    builder = with_kernel(torch_profile(tmp_path))
    groups = {
        "a": {"group_name": "tp", "global_ranks": [0, 1]},
        "b": {"group_name": "default_group", "global_ranks": [0, 1, 2, 3]},
    }
    builder.json("profiler_metadata.json", {"parallel_group_info": groups})
    assert the_profile(builder.write()).world_size == 4


@pytest.mark.parametrize(
    ("devices", "cores"),
    [
        ([{"ai_core_num": 24, "aiv_num": 48}], (24, 48)),
        ([{"ai_core_num": "20", "aiv_num": "40"}], (20, 40)),
        ([{"ai_core_num": 32, "aiv_num": 0}], (32, 0)),
        ([{"ai_core_num": 0}], (None, None)),
        ([{"ai_core_num": -1, "aiv_num": "many"}], (None, None)),
        ([], (None, None)),
        (None, (None, None)),
        (["24"], (None, None)),
    ],
)
def test_the_cores_of_the_npu_are_those_that_its_own_information_names(
    tmp_path: Path, devices: object, cores: tuple[int | None, int | None]
) -> None:
    builder = with_kernel(msprof_profile(tmp_path))
    builder.json("device_0/info.json.0", {"rank_id": 0, "DeviceInfo": devices})
    profile = the_profile(builder.write())
    assert (profile.cube_cores, profile.vector_cores) == cores
    assert profile.notices == ()


def test_a_renamed_folder_is_recognised_by_what_it_holds(tmp_path: Path) -> None:
    path = with_kernel(torch_profile(tmp_path, rank=2)).write().rename(tmp_path / "slow run")
    assert the_profile(path).rank == 2
    assert the_profile(path / "ASCEND_PROFILER_OUTPUT").rank == 2
    assert the_profile(tmp_path).path == path


def test_mindspore_is_told_from_torch(tmp_path: Path) -> None:
    path = with_kernel(torch_profile(tmp_path)).write()
    renamed = path.rename(path.with_name(path.name.replace("_ascend_pt", "_ascend_ms")))
    assert the_profile(renamed).producer == "mindspore"


def test_an_msprof_profile_names_device_host_and_the_start_of_its_clock(tmp_path: Path) -> None:
    builder = msprof_profile(tmp_path, device=5, rank=5, monotonic_start_ns=77)
    with_kernel(builder).csv("op_summary", OP_SUMMARY, OP_ROW)
    builder.json("device_5/sample.json.5", {"prof_level": "l1", "acl": "on", "app_env": "secret"})
    builder.json(f"mindstudio_profiler_output/msprof_tx_{STAMP}.json", [{"ph": "X"}])
    profile = the_profile(builder.write())
    assert (profile.producer, profile.rank, profile.device_id) == ("msprof", 5, 5)
    assert (profile.host, profile.clock_start) == ("node-1", (77, 1_767_262_210_000_000_000))
    assert (profile.level, profile.switches) == ("l1", {"prof_level": "l1", "acl": "on"})
    assert [(one.path.name, one.role) for one in profile.timelines] == [
        (f"msprof_{STAMP}.json", "primary"),
        (f"msprof_tx_{STAMP}.json", "fill"),
    ]
    assert names(profile) == {"op_summary": [f"op_summary_{STAMP}.csv"]}


def test_one_process_on_several_devices_is_one_profile(tmp_path: Path) -> None:
    builder = with_kernel(msprof_profile(tmp_path, device=0))
    builder.json("device_1/info.json.1", {"hostname": "node-1", "rank_id": -1})
    profile = the_profile(builder.write())
    assert (profile.device_id, profile.rank_known) == (None, False)


def old_profile(tmp_path: Path, *devices: int) -> Path:
    """Two iterations per device, each with everything that CANN 6 writes of it."""
    path = tmp_path / "PROF_000001_20230818142704322_ABCDEFGHIJKLMNOP"
    for device in devices:
        builder = msprof_profile(tmp_path, device=device, layout="old")
        builder.path = path
        folder = f"device_{device}"
        for iteration in (2, 10):
            numbers = f"{device}_1_{iteration}"
            event = [{"ph": "X", "name": f"iteration {iteration}"}]
            for base in ("msprof", "hccl", "task_time"):
                builder.json(f"{folder}/timeline/{base}_{numbers}.json", [*event, {"ph": base}])
            builder.json(f"{folder}/timeline/step_trace_{numbers}.json", [{"ph": "X"}])
            row = [["0", "1", "2", f"Add{iteration}", "AI_CORE", "5", "1"]]
            builder.file(f"{folder}/summary/op_summary_{numbers}.csv", csv_text(OP_SUMMARY, row))
            builder.file(f"{folder}/summary/cpu_usage_{numbers}.csv", "Cpu Type,User(%)\nx,1\n")
        builder.file("host/summary/cpu_usage_0_1.csv", "Cpu Type,User(%)\nhost,2\n")
        builder.json("host/timeline/acl_0_1.json", [{"ph": "X", "name": "aclrtMalloc"}])
        builder.write()
    return path


def test_iterations_of_the_old_layout_are_parts_of_one_profile_in_numeric_order(
    tmp_path: Path,
) -> None:
    profile = the_profile(old_profile(tmp_path, 0))
    assert [(one.path.name, one.role) for one in profile.timelines] == [
        ("msprof_0_1_2.json", "primary"),
        ("msprof_0_1_10.json", "primary"),
        ("task_time_0_1_2.json", "fill"),
        ("task_time_0_1_10.json", "fill"),
        ("hccl_0_1_2.json", "fill"),
        ("hccl_0_1_10.json", "fill"),
        # The same in every iteration, so once.
        ("step_trace_0_1_2.json", "fill"),
        ("acl_0_1.json", "fill"),
    ]
    assert names(profile) == {
        "cpu_usage": ["cpu_usage_0_1_2.csv"],
        "op_summary": ["op_summary_0_1_2.csv", "op_summary_0_1_10.csv"],
        "cpu_usage_host": ["cpu_usage_0_1.csv"],
    }
    assert (profile.device_id, profile.clock_start) == (0, (10**9, 1_767_262_210 * 10**9))


def test_each_device_of_the_old_layout_is_a_profile(tmp_path: Path) -> None:
    path = old_profile(tmp_path, 0, 1)
    first, second = find_profiles(path)
    assert (first.device_id, second.device_id) == (0, 1)
    assert first.name == f"{path.name}/device_0"
    assert first.path == path / "device_0"
    assert all(file.is_relative_to(first.root) for file in first.files)
    assert fingerprint(first) != fingerprint(second)
    assert the_profile(path / "device_1").device_id == 1


def test_a_merged_timeline_of_cann_6_3_goes_with_the_tables_of_its_devices(tmp_path: Path) -> None:
    path = old_profile(tmp_path, 0, 1)
    for device in ("device_0", "device_1"):
        for file in (path / device / "timeline").iterdir():
            file.unlink()
    (path / "timeline").mkdir()
    (path / "timeline" / "msprof_0_1.json").write_text('[{"ph":"X"}]')
    profile = the_profile(path)
    assert [one.path.name for one in profile.timelines] == ["msprof_0_1.json"]
    assert len(names(profile)["op_summary"]) == 4


def test_the_newest_export_of_a_folder_is_read_and_the_older_named(tmp_path: Path) -> None:
    builder = with_kernel(msprof_profile(tmp_path, stamp="20260101110000"))
    builder.csv("op_summary", OP_SUMMARY, OP_ROW)
    older = "mindstudio_profiler_output/op_summary_20260101100000.csv"
    builder.file(older, csv_text(OP_SUMMARY, OP_ROW * 2))
    profile = the_profile(builder.write())
    assert names(profile) == {"op_summary": ["op_summary_20260101110000.csv"]}
    assert notices(profile, "older_export") == {older: "op_summary_20260101110000.csv is newer"}


def test_the_framework_s_view_of_a_run_wins_over_msprof_s(tmp_path: Path) -> None:
    outer = with_kernel(torch_profile(tmp_path))
    outer.csv("kernel_details", KERNEL_DETAILS, [{"Name": "Add", "Start Time(us)": "0.000"}])
    outer.csv("op_statistic", "OP Type,Count", [["Add", "1"]])
    path = outer.write()
    inner = with_kernel(msprof_profile(path, device=6, rank=-1))
    inner.csv("op_summary", OP_SUMMARY, OP_ROW)
    inner.csv("op_statistic", "Device_id,OP Type,Count", [["0", "Add", "1"]])
    inner.csv("fusion_op", "Model Name,Fusion Op", [["m", "f"]])
    inner.write()
    profile = the_profile(tmp_path)
    assert [one.path.name for one in profile.timelines] == ["trace_view.json"]
    assert set(names(profile)) == {"kernel_details", "op_statistic", "fusion_op"}
    assert [table.name for table in profile.tables if table.kind == "kernels"] == ["kernel_details"]
    assert len(notices(profile, "duplicate_source")) == 3
    assert (profile.device_id, profile.clock_start) == (6, (10**9, 1_767_262_210 * 10**9))


def test_msprof_s_timeline_serves_where_the_framework_s_is_missing(tmp_path: Path) -> None:
    outer = torch_profile(tmp_path)
    outer.csv("kernel_details", KERNEL_DETAILS, [{"Name": "Add", "Start Time(us)": "0.000"}])
    with_kernel(msprof_profile(outer.write())).write()
    profile = the_profile(outer.path)
    assert [(one.path.name, one.role) for one in profile.timelines] == [
        (f"msprof_{STAMP}.json", "primary")
    ]
