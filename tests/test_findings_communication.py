"""What stands out in communication: fused kernels, links, and the load of experts."""

from pathlib import Path
from typing import Any

import pytest
from finding_build import MS, RunBuilder, found, named
from store_build import identifier

from npuview.queries.findings import Finding

MB = 1_000_000


def names(findings: list[Finding]) -> list[str]:
    return [one.rule.name for one in findings if one.ns]


def fused(run: RunBuilder, *lengths: float) -> None:
    """Let kernels with communication inside run one after the other."""
    run.spend("mc2", sum(lengths))
    for ms in lengths:
        run.kernel("AllGatherMatmul", ms, core="MIX_AIC", class_="mc2", input_shapes="8,8")


def test_waiting_inside_of_fused_kernels_cannot_be_told_on_one_rank(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    fused(run, 4, 9, 5)
    one = named(found(run.build()), "mc2")
    assert (one.status, one.missing, one.variant) == ("unknown", "ranks", None)
    assert (one.ns, one.period, one.dur) == (18 * MS, 100 * MS, 9 * MS)
    # Beyond three times the shortest: that is the most that can be waiting.
    assert (one.values["count"], one.values["over_ns"]) == (3, 6 * MS)
    assert len(one.evidence) == 3


def test_fused_kernels_of_other_shapes_are_not_compared(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.spend("mc2", 12)
    for ms, shapes in ((4, "8,8"), (8, "16,16")):
        run.kernel("MatmulAllReduce", ms, class_="mc2", input_shapes=shapes)
    assert named(found(run.build()), "mc2").values["over_ns"] is None


def test_fused_kernels_are_shortest_on_the_rank_that_comes_last(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path)
    for rank, ms in ((0, 20), (1, 5)):
        run.rank(rank)
        fused(run, ms)
    both = [one for one in found(run.build()) if one.rule.name == "mc2"]
    assert {(one.status, one.variant, one.missing) for one in both} == {("found", "compared", None)}
    assert [one.values["over_ns"] for one in both] == [15 * MS, 0]
    assert {(one.values["best_rank"], one.values["best_ns"]) for one in both} == {(1, 5 * MS)}


def test_kernels_that_only_compute_are_not_fused(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.kernel("MatMul", 50)
    assert "mc2" not in names(found(run.build()))


def moving(run: RunBuilder, rank: int = 0, ms: float = 10) -> RunBuilder:
    """Begin a rank that moves data for some time while nothing computes."""
    run.rank(rank)
    run.spend("transferring", ms)
    return run.collective(
        "hcom_allReduce__1_0", ms, late={}, bytes=64 * MB, transfer_ns=round(ms * MS), group="0"
    )


def test_a_link_is_slow_beside_those_of_its_kind(tmp_path: Path) -> None:
    run = moving(RunBuilder(tmp_path))
    for peer, ms in ((1, 1), (2, 1.1), (3, 3), (4, 1)):
        run.link(peer, ms, 8 * MB)
    one = named(found(run.build()), "slow_link")
    assert (one.status, one.variant, one.values["peer"]) == ("found", None, "rank 3")
    # The median of four lies between the middle two.
    usual = (8 * MB * 1000 / 1 + 8 * MB * 1000 / 1.1) / 2
    assert one.values["median_bytes_per_s"] == pytest.approx(usual, abs=1)
    assert one.values["bytes_per_s"] == pytest.approx(8 * MB * 1000 / 3, abs=1)
    assert one.ns == pytest.approx(3 * MS - 8 * MB / usual * 1e9, abs=1)
    assert (one.values["bytes"], one.values["exposed_ns"]) == (8 * MB, 10 * MS)
    assert one.evidence == (identifier(0, 101),)


def test_links_are_compared_with_those_of_other_ranks_too(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path)
    for rank, ms in ((0, 1), (1, 1), (2, 4)):
        moving(run, rank).link((rank + 1) % 3, ms, 8 * MB)
    one = named(found(run.build()), "slow_link")
    assert (one.rank, one.values["peer"], one.ns) == (2, "rank 0", 3 * MS)


def test_a_link_that_is_fast_at_times_is_slow_only_sometimes(tmp_path: Path) -> None:
    run = moving(RunBuilder(tmp_path))
    for peer in (1, 2, 3):
        run.link(peer, 1, 8 * MB)
    run.link(4, 1, 8 * MB).link(4, 5, 8 * MB)
    one = named(found(run.build()), "slow_link")
    assert (one.variant, one.values["peer"], one.ns) == ("sometimes", "rank 4", 4 * MS)


def test_a_slow_link_costs_no_more_than_what_nothing_hides(tmp_path: Path) -> None:
    run = moving(RunBuilder(tmp_path), ms=2)
    for peer, ms in ((1, 1), (2, 1), (3, 9)):
        run.link(peer, ms, 8 * MB)
    one = named(found(run.build()), "slow_link")
    assert (one.ns, one.values["lost_ns"]) == (2 * MS, 8 * MS)


@pytest.mark.parametrize(
    ("lengths", "size"),
    [((1, 1.1, 1.2, 1.3), 8 * MB), ((1, 1, 9), 64_000)],
    ids=["alike", "small messages"],
)
def test_links_that_are_alike_and_small_messages_are_no_slow_links(
    tmp_path: Path, lengths: tuple[float, ...], size: int
) -> None:
    run = moving(RunBuilder(tmp_path))
    for peer, ms in enumerate(lengths, 1):
        run.link(peer, ms, size)
    assert "slow_link" not in names(found(run.build()))


def test_links_of_another_transport_task_or_size_are_another_kind(tmp_path: Path) -> None:
    run = moving(RunBuilder(tmp_path))
    for peer in (1, 2, 3):
        run.link(peer, 1, 8 * MB)
        run.link(peer, 2, 8 * MB, task="Reduce_Inline")
        run.link(peer + 8, 8, 8 * MB, transport="RDMA", link="ROCE")
        run.link(peer, 1, MB)
    run.link(None, 9, 8 * MB, link="ON_CHIP")
    assert "slow_link" not in names(found(run.build()))


def test_with_two_links_none_can_be_called_slow(tmp_path: Path) -> None:
    run = moving(RunBuilder(tmp_path))
    run.link(1, 1, 8 * MB).link(2, 4, 8 * MB)
    one = named(found(run.build()), "slow_link")
    assert (one.status, one.variant, one.missing) == ("unknown", "few", "ranks")
    assert (one.ns, one.values["links"]) == (10 * MS, 2)


def experts(run: RunBuilder, *sizes: int, step: int = 1) -> None:
    """Let a rank wait for rank 3 in an all-to-all with these bytes for ranks 1, 2, 3, …."""
    run.stall("rank 3", 20, state="waiting_peer", place=None, peer=3, step=step)
    run.collective(
        "hcom_alltoallv__7_0",
        25,
        late={1: 0, 3: 20},
        step=step,
        group="0",
        wait_ns=20 * MS,
        exposed_wait_ns=15 * MS,
        transfer_ns=5 * MS,
    )
    for peer, size in enumerate(sizes, 1):
        run.link(peer, 1, size, operation="hcom_alltoallv", step=step)


def test_unequal_bytes_of_experts_are_told_before_a_host_is_blamed(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    experts(run, MB, MB, 4 * MB)
    one = named(found(run.build()), "expert_load")
    assert (one.rule.within, one.ns) == ("peer_wait", 15 * MS)
    assert (one.values["peer"], one.values["most_bytes"]) == ("rank 3", 4 * MB)
    assert (one.values["mean_bytes"], one.values["load_ratio"]) == (2 * MB, 2.0)
    assert (one.values["times_last"], one.values["collectives"]) == (1, 1)


def test_experts_change_from_step_to_step_and_are_uneven_in_each(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank(steps=2)
    experts(run, MB, 5 * MB)
    experts(run, 5 * MB, MB, step=2)
    one = named(found(run.build()), "expert_load")
    assert (one.ns, one.steps) == (30 * MS, 2)
    assert one.values["load_ratio"] == pytest.approx(5 / 3)


def test_equal_bytes_and_other_collectives_say_nothing_of_experts(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    experts(run, MB, MB, MB + 1000)
    run.link(1, 1, 90 * MB)
    assert "expert_load" not in names(found(run.build()))


def test_what_compute_hides_of_small_collectives_is_not_counted(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.spend("transferring", 4)
    for number in range(4):
        run.launch(run.kernel("Add", 0.1), at_ms=10 + number)
    small: dict[str, Any] = {"late": {}, "bytes": 1000, "transfer_ns": MS // 2, "wait_ns": MS}
    run.collective("bare", 3, exposed_ns=3 * MS, exposed_wait_ns=MS, **small)
    run.collective("hidden", 3, exposed_ns=0, exposed_wait_ns=0, **small)
    one = named(found(run.build()), "small_packets")
    assert (one.ns, one.values["count"], one.values["longest_name"]) == (2 * MS, 1, "bare")
