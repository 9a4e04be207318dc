"""Findings about memory: what grows, what lies unused, what is nearly full."""

from pathlib import Path

import pytest
from finding_build import found, named
from store_build import StoreBuilder

from npuview.ingest.store import Store
from npuview.queries.rules import load_rules
from npuview.tui.text.finding_text import Reading
from npuview.tui.words.catalogue import words_of

GIB = 1 << 30
MEMORY = {"memory_growth", "memory_unused", "memory_full"}


def run(path: Path, levels: list[int], *, reserved: int = 0, warmup: int = 0) -> Store:
    """Write a run whose allocator holds so much at the end of each step, of 100 ns each."""
    store = StoreBuilder(path).rank(0)
    store.add(
        "profile", rank_known=True, producer="torch_npu", device_id=0, level="Level1",
        switches="{}", name="made_up", ts=0, dur=100 * len(levels),
    )  # fmt: skip
    store.add("track", track_id=1, kind="stream", device_id=0, stream_id=2)
    store.add("track", track_id=2, kind="counter", device_id=0, process_name="memory_record")
    for number, key in enumerate(("allocated", "reserved"), 1):
        store.add("counter_series", series_id=number, track_id=2, name="PTA", key=key, unit="bytes")
    for at, level in enumerate(levels):
        ts = 100 * at
        store.add("step", step=at, kind="train", ts=ts, dur=100, warmup=at < warmup)
        store.add("ledger", device_id=0, step=at, state="computing", dur=100)
        store.add("counter", series_id=1, ts=ts + 50, value=float(level))
        store.add("counter", series_id=2, ts=ts + 50, value=float(reserved or level))
    return store.build()


def of_memory(store: Store) -> set[str]:
    return {one.rule.name for one in found(store)} & MEMORY


def test_memory_that_rises_in_every_step_is_said_to_grow(tmp_path: Path) -> None:
    one = named(found(run(tmp_path, [1000, 1010, 1020, 1030])), "memory_growth")
    assert (one.ns, one.share, one.severity, one.inferred) == (None, None, None, True)
    assert (one.values["grown_bytes"], one.values["growths"]) == (10, 3)
    assert one.steps == 4
    said = Reading(words_of("en"), {}).sentence(one)
    assert said.startswith("memory grows: PTA holds 10 B more at the end of each step")


@pytest.mark.parametrize(
    "levels",
    [
        [1000, 1000, 1000, 1000],
        [1000, 1010, 1005, 1030],
        [1030, 1020, 1010, 1000],
        # Two growths may be a cache that fills.
        [1000, 1010, 1020],
        # 0.01 % of the peak.
        [100_000, 100_010, 100_020, 100_030],
    ],
)
def test_other_memory_is_not_said_to_grow(levels: list[int], tmp_path: Path) -> None:
    assert of_memory(run(tmp_path, levels)) == set()


def test_what_warm_up_takes_is_no_growth(tmp_path: Path) -> None:
    assert of_memory(run(tmp_path, [100, 500, 500, 500, 500], warmup=1)) == set()


def test_memory_that_is_reserved_and_held_by_nobody_is_told_with_its_share(
    tmp_path: Path,
) -> None:
    one = named(found(run(tmp_path, [6 * GIB], reserved=10 * GIB)), "memory_unused")
    assert (one.values["unused_bytes"], one.values["reserved_bytes"]) == (4 * GIB, 10 * GIB)
    assert one.values["held_share"] == pytest.approx(0.4)
    assert one.ts == 50


@pytest.mark.parametrize(("held", "reserved"), [(8 * GIB, 10 * GIB), (GIB // 2, GIB)])
def test_little_unused_memory_is_no_finding(held: int, reserved: int, tmp_path: Path) -> None:
    assert of_memory(run(tmp_path, [held], reserved=reserved)) == set()


def test_memory_is_nearly_full_only_where_the_capacity_is_known(tmp_path: Path) -> None:
    store = run(tmp_path, [60 * GIB])
    assert of_memory(store) == set()
    rules = tmp_path / "rules.toml"
    rules.write_text('chip = "910B3"')
    one = named(found(store, load_rules(rules)), "memory_full")
    assert (one.values["reserved_bytes"], one.values["capacity_bytes"]) == (60 * GIB, 64 * GIB)
    rules.write_text('chip = "910B3"\n[rules.memory_full]\nleast_full = 0.95')
    assert "memory_full" not in {one.rule.name for one in found(store, load_rules(rules))}
