"""How a profile was collected: switches, schedule, ranks, and the spacing that they cause."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from store_build import StoreBuilder, ask

from npuview.queries.catalog import shipped_queries
from npuview.queries.rows import PeersRow
from npuview.queries.rows_collection import CollectionRow, JobRanksRow
from npuview.queries.rows_communication import RanksRow
from npuview.queries.session import Engine, Session

US = 1000


def profile(
    tmp_path: Path, switches: Mapping[str, object], level: str | None = None
) -> StoreBuilder:
    builder = StoreBuilder(tmp_path).rank(0)
    return builder.add("profile", rank_known=True, level=level, switches=json.dumps(switches))


def collection(builder: StoreBuilder, kind: str) -> list[CollectionRow]:
    return [row for row in ask(builder.build(), "collection") if row.kind == kind]


def test_each_switch_says_whether_it_was_on_and_whose_times_it_distorts(tmp_path: Path) -> None:
    builder = profile(
        tmp_path,
        {
            "with_stack": True,
            "record_shapes": False,
            "activities": ["ProfilerActivity.CPU", "ProfilerActivity.NPU"],
            "_l2_cache": True,
            "_aic_metrics": "ACL_AICORE_NONE",
            "_gc_detect_threshold": 0,
            "_export_type": None,
        },
    )
    told = {row.name: (row.value, row.is_on, row.slows) for row in collection(builder, "switch")}
    assert told == {
        "with_stack": ("true", True, "host"),
        "record_shapes": ("false", False, None),
        "activities": ("CPU+NPU", True, None),
        "l2_cache": ("true", True, "device"),
        "aic_metrics": ("ACL_AICORE_NONE", False, None),
        "gc_detect_threshold": ("0", True, None),
        "export_type": (None, False, None),
    }


def test_a_switch_of_a_later_version_is_listed_without_a_meaning(tmp_path: Path) -> None:
    [row] = collection(profile(tmp_path, {'_a"b.c$': {"x": 1}}), "switch")
    assert (row.name, row.value, row.is_on, row.cost) == ('a"b.c$', '{"x":1}', True, None)


def test_switches_of_msprof_are_words(tmp_path: Path) -> None:
    builder = profile(tmp_path, {"l2": "on", "msproftx": "off"})
    told = {row.name: (row.is_on, row.slows) for row in collection(builder, "switch")}
    assert told == {"l2": (True, "device"), "msproftx": (False, None)}


def test_level2_slows_the_host(tmp_path: Path) -> None:
    assert [row.slows for row in collection(profile(tmp_path, {}, "Level2"), "level")] == ["host"]


def test_the_schedule_is_in_the_order_in_which_it_runs(tmp_path: Path) -> None:
    schedule = {"wait": 0, "active": 1, "warmup": 10, "repeat": 1, "skip_first": 40}
    told = [
        (row.name, row.value)
        for row in collection(profile(tmp_path, {"schedule": schedule}), "schedule")
    ]
    assert told == [
        ("skip_first", "40"),
        ("wait", "0"),
        ("warmup", "10"),
        ("active", "1"),
        ("repeat", "1"),
    ]


@pytest.mark.parametrize("switches", [None, "", "not json", "[]"])
def test_without_readable_switches_there_are_none(tmp_path: Path, switches: str | None) -> None:
    builder = StoreBuilder(tmp_path).rank(0).add("profile", rank_known=True, switches=switches)
    assert ask(builder.build(), "collection") == []


def test_the_calls_of_the_profiler_itself_are_measured(tmp_path: Path) -> None:
    builder = profile(tmp_path, {})
    builder.add("track", track_id=1, kind="python").add("track", track_id=2, kind="cann")
    for number, (name, dur) in enumerate(
        [
            ("torch_npu/profiler/profiler.py(241): step", 400),
            ("torch_npu/profiler/profiler.py(231): step", 100),
            ("torch_npu/profiler/profiler_interface.py(84): start_trace", 90),
            ("main.py(241): step", 7),
        ]
    ):
        builder.add("slice", slice_id=number, track_id=1, ts=number, dur=dur, name=name)
    told = [(row.name, row.count_, row.dur) for row in collection(builder, "call")]
    assert told == [("start_trace", 1, 90), ("step", 2, 500)]


def grouped(builder: StoreBuilder, rank: int, group: str, *numbers: int) -> None:
    builder.rank(rank)
    for number in numbers:
        builder.add("group_member", group=group, number=number)


def ranks(builder: StoreBuilder) -> list[JobRanksRow]:
    return ask(builder.build(), "job_ranks")


def test_the_members_of_a_communicator_are_of_the_job(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path)
    for rank in (0, 1):
        builder.rank(rank).add("profile", rank_known=True)
        grouped(builder, rank, "g", 0, 1, 2, 3)
    assert ranks(builder) == [
        JobRanksRow(0, True, 4, "groups", True),
        JobRanksRow(1, True, 4, "groups", True),
        JobRanksRow(2, False, 4, "groups", True),
        JobRanksRow(3, False, 4, "groups", True),
    ]


@pytest.mark.parametrize("engine", ["index", "parquet"])
def test_a_rank_that_is_not_asked_about_is_in_the_data_all_the_same(
    engine: Engine, tmp_path: Path
) -> None:
    builder = StoreBuilder(tmp_path)
    for rank in (0, 1):
        builder.rank(rank).add("profile", rank_known=True)
        builder.add("collective", collective_id=rank, ts=0, dur=9, name="allReduce", match_key=1)
    builder.rank(0)
    grouped(builder, 0, "g", 0, 1, 2)
    for peer in (1, 2):
        builder.add("peer_arrival", collective_id=0, number=peer, peer=peer, wait_ns=peer)
    with Session(builder.build(), ranks=[0], engine=engine) as session:
        asked = shipped_queries()
        job = session.run(asked["job_ranks"]).as_(JobRanksRow)
        peers = session.run(asked["peers"]).as_(PeersRow)
        ranks = session.run(asked["ranks"]).as_(RanksRow)
    expected = {0: True, 1: True, 2: False}
    assert {one.rank: one.collected for one in job} == expected
    assert {one.peer: one.collected for one in peers} == {1: True, 2: False}
    assert {one.rank: one.collected for one in ranks} == expected


def test_what_the_profile_says_wins_over_the_communicators(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(1).add("profile", rank_known=True, world_size=3)
    grouped(builder, 1, "g", 0)
    assert ranks(builder) == [
        JobRanksRow(0, False, 3, "world_size", False),
        JobRanksRow(1, True, 3, "world_size", False),
        JobRanksRow(2, False, 3, "world_size", False),
    ]


def test_without_communicators_only_the_ranks_here_are_known(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path)
    for rank in (2, 5):
        builder.rank(rank).add("profile", rank_known=True)
    assert [(row.rank, row.collected, row.source) for row in ranks(builder)] == [
        (2, True, "profiles"),
        (5, True, "profiles"),
    ]


def test_where_ranks_were_numbered_by_npuview_nobody_is_missing(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0).add("profile", rank_known=False)
    grouped(builder, 0, "g", 1, 2)
    assert [row.collected for row in ranks(builder)] == [True, None, None]


def spaced(builder: StoreBuilder, *lengths: int, task: str = "AI_CORE", late: int = 0) -> None:
    """Add gaps, each after a task; what follows was launched ``late`` after it ended."""
    class_ = "compute" if task == "AI_CORE" else "copy"
    ts = 0
    for number, dur in enumerate(lengths):
        before, after = 2 * number, 2 * number + 1
        for slice_id in (before, after):
            builder.add(
                "slice", slice_id=slice_id, track_id=1, ts=ts, dur=1, class_=class_, task_type=task
            )
        builder.add("launch_link", slice_id=after, launch_ts=0, launch_end=ts + late)
        builder.add(
            "gap", gap_id=number, kind="device", ts=ts, dur=dur, prev_slice_id=before,
            next_slice_id=after,
        )  # fmt: skip
        ts += dur


def test_the_narrow_cluster_after_kernels_is_inferred_to_be_the_profilers(tmp_path: Path) -> None:
    builder = profile(tmp_path, {"_l2_cache": True})
    spaced(builder, 3, *(US * us for us in (90, 91, 92, 93, 94, 95, 96, 135, 140, 900)))
    [row] = ask(builder.build(), "kernel_spacing")
    assert (row.before, row.count_, row.median, row.min, row.max) == (
        "AI Core", 11, 94 * US, 3, 900 * US,
    )  # fmt: skip
    assert (row.cluster_from_ns, row.cluster_to_ns) == (90 * US, 96 * US)
    assert (row.cluster_count, row.cluster_ns, row.cluster_share) == (7, 651 * US, 7 / 11)
    assert (row.switches, row.profiler) == ("l2_cache", True)


@pytest.mark.parametrize(
    ("switches", "lengths", "task"),
    [
        ({"_l2_cache": False, "_aic_metrics": "ACL_AICORE_NONE"}, [90 * US] * 20, "AI_CORE"),
        ({"_l2_cache": True}, [90 * US] * 9, "AI_CORE"),
        ({"_l2_cache": True}, [90 * US] * 8 + [10**power for power in range(6, 15)], "AI_CORE"),
        ({"_l2_cache": True}, [90 * US] * 20, "SDMA_SQE"),
        ({"_l2_cache": True}, [19 * US] * 20, "AI_CORE"),
    ],
    ids=["no switch", "too few", "no cluster", "after copies", "as devices do"],
)
def test_no_spacing_is_laid_on_the_profiler_without_evidence(
    tmp_path: Path, switches: dict[str, object], lengths: list[int], task: str
) -> None:
    builder = profile(tmp_path, switches)
    spaced(builder, *lengths, task=task)
    assert [row.profiler for row in ask(builder.build(), "kernel_spacing")] == [False]


def test_a_task_that_was_launched_late_was_not_queued(tmp_path: Path) -> None:
    builder = profile(tmp_path, {"_l2_cache": True})
    spaced(builder, 90, 90, late=1)
    assert ask(builder.build(), "kernel_spacing") == []


def untold(builder: StoreBuilder) -> dict[str, tuple[str, int | None]]:
    return {row.name: (row.sample, row.dur) for row in ask(builder.build(), "untold")}


def ascend(tmp_path: Path, level: str | None = "Level2", **on: object) -> StoreBuilder:
    builder = StoreBuilder(tmp_path).rank(0)
    switches = json.dumps({"_gc_detect_threshold": 1, **on})
    builder.add("profile", rank_known=True, producer="torch_npu", level=level, switches=switches)
    return builder.add("track", track_id=1, kind="python")


def test_what_was_not_recorded_cannot_be_told(tmp_path: Path) -> None:
    names = set(untold(ascend(tmp_path, _gc_detect_threshold=None)))
    assert {"lines", "gc"} <= names
    assert "python" not in names


def test_what_was_recorded_can_be_told(tmp_path: Path) -> None:
    builder = ascend(tmp_path)
    builder.add("slice", slice_id=1, track_id=1, ts=0, dur=1, category="python_function")
    assert not {"lines", "gc", "ranks", "host", "spacing", "copies"} & set(untold(builder))


def test_copies_have_sizes_at_level2_only(tmp_path: Path) -> None:
    builder = ascend(tmp_path, "Level1")
    builder.add("slice", slice_id=1, track_id=1, ts=0, dur=1, class_="copy")
    assert untold(builder)["copies"] == ("copies have no sizes", None)


def test_what_collecting_does_to_the_times_cannot_be_told(tmp_path: Path) -> None:
    builder = ascend(tmp_path, with_stack=True, record_shapes=True, _l2_cache=True)
    spaced(builder, *(US * us for us in range(90, 100)))
    grouped(builder, 0, "g", 1, 5)
    told = untold(builder)
    assert told["host"][0] == (
        "host times are inflated by record_shapes, with_stack: the true speed of the host is"
        " unknown"
    )
    sentence, dur = told["spacing"]
    assert sentence == (
        "10 gaps after AI Core kernels are 90 to 99 us long, inferred to be made by collecting:"
        " the true spacing is unknown"
    )
    assert dur == 945 * US
    assert told["ranks"][0].startswith("5 of 6 ranks are not in this data")


def test_a_trace_of_another_program_lacks_nothing(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(0).add("profile", rank_known=True, producer="chrome")
    assert untold(builder) == {}
