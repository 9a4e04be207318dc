"""What is made up of a run's memory is what the questions find of it."""

import pytest
from concluded import Conclude
from finding_build import found, named
from store_build import ask

MIB = 1 << 20
OF_MEMORY = {"memory_growth", "memory_unused", "memory_full", "alloc"}


def test_a_leak_is_found_by_its_growth_and_by_who_keeps_it(conclude: Conclude) -> None:
    job = conclude("leak")
    kept = [one for one in job.truth.allocations[0] if one.name == "aten::clone"]
    assert len(kept) == 4
    assert all(one.release is None for one in kept)
    rows = [row for row in ask(job.store, "memory_steps") if row.component == "PTA"]
    assert [row.growth_bytes for row in rows[1:]] == [one.size for one in kept[1:]]
    assert {(row.slope_bytes, row.rising, row.growths) for row in rows} == {(64 * MIB, 3, 3)}
    [held] = [row for row in ask(job.store, "memory_unreleased") if row.steps > 1]
    assert (held.name, held.count_, held.held_bytes) == ("aten::clone", 4, 256 * MIB)
    one = named(found(job.store), "memory_growth")
    assert one.values["kept_name"] == "aten::clone"
    assert one.values["grown_bytes"] == 64 * MIB


def test_the_time_in_which_the_device_waits_for_memory_is_that_of_the_call(
    conclude: Conclude,
) -> None:
    job = conclude("alloc_stall")
    lost = job.truth.of(0, "idle", "alloc").total
    [row] = ask(job.store, "memory_stalls")
    assert (row.name, row.calls, row.calls_ns) == ("AscendCL@aclrtMallocPhysical", 4, 240_000_000)
    assert abs(row.total - lost) <= job.slack(0)
    assert named(found(job.store), "alloc").ns == row.total


def test_the_peak_is_held_by_who_took_most_of_it(conclude: Conclude) -> None:
    job = conclude("large_buffer")
    [buffer, *_] = [one for one in job.truth.allocations[0] if one.name == "aten::softmax"]
    [peak] = ask(job.store, "memory_peaks", component="PTA", key="allocated")
    assert buffer.release is not None
    assert buffer.ts <= peak.ts < buffer.release
    first = next(row for row in ask(job.store, "memory_holders") if row.component == "PTA")
    assert (first.name, first.largest_bytes) == ("aten::softmax", buffer.size)
    live = [one for one in job.truth.allocations[0] if one.ts <= peak.ts]
    live = [one for one in live if one.release is None or one.release > peak.ts]
    rows = [row for row in ask(job.store, "memory_holders") if row.component == "PTA"]
    assert sum(row.held_bytes for row in rows if row.name) == sum(one.size for one in live)


@pytest.mark.parametrize("name", ["healthy", "large_buffer"])
def test_memory_that_is_given_back_is_no_finding(name: str, conclude: Conclude) -> None:
    job = conclude(name)
    rows = [row for row in ask(job.store, "memory_steps") if row.component == "PTA"]
    assert {row.slope_bytes for row in rows} == {0}
    assert ask(job.store, "memory_stalls") == []
    assert not OF_MEMORY & {one.rule.name for one in found(job.store) if one.status == "found"}
