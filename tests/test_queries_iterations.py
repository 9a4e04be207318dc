"""Iterations by kind: how long they take, the gaps between them, and what is an outlier."""

from itertools import pairwise
from pathlib import Path

import pytest
from command_line import Run
from concluded import MS, US, Conclude, Concluded
from finding_build import found, named
from store_build import StoreBuilder, ask

from npuview.ingest.sample.record import Iteration
from npuview.ingest.store import Store
from npuview.queries.rows import IterationsRow

SERVERS = ("server", "server_unmarked")


@pytest.fixture(params=SERVERS)
def job(request: pytest.FixtureRequest, conclude: Conclude) -> Concluded:
    return conclude(request.param)


def made_up(job: Concluded) -> tuple[Iteration, ...]:
    return job.truth.iterations[0]


def gaps(job: Concluded) -> list[tuple[str, int]]:
    """Return the kind of each iteration but the first, and the ns of work before it."""
    pauses = job.truth.of(0, "idle", "no_work").spans
    return [
        (
            one.kind,
            one.device_ts
            - before.device_end
            - sum(end - ts for ts, end in pauses if before.device_end <= ts < one.device_ts),
        )
        for before, one in pairwise(made_up(job))
    ]


def rank_of(values: list[int], hundredths: int) -> int:
    """Return the smallest value that is not below so many hundredths of all."""
    return sorted(values)[-(-len(values) * hundredths // 100) - 1]


def test_iterations_of_a_server_are_found_with_kind_tokens_and_borders(job: Concluded) -> None:
    marked = job.name == "server"
    steps = job.ask(
        "SELECT source, inferred, kind, tokens, device_ts, device_ts + device_dur FROM step"
        " ORDER BY ts"
    )
    source = "annotation" if marked else "pattern"
    assert steps == [
        (source, not marked, one.kind, one.tokens, one.device_ts, one.device_end)
        for one in made_up(job)
    ]


def test_statistics_of_a_server_are_those_that_were_made_up(job: Concluded) -> None:
    rows = {(row.kind, row.part): row for row in ask(job.store, "iterations")}
    told = gaps(job)
    for kind in ("prefill", "decode"):
        iterations = [one for one in made_up(job) if one.kind == kind]
        run = rows[kind, "run"]
        lengths = [one.device_end - one.device_ts for one in iterations]
        assert (run.count_, run.total) == (len(iterations), sum(lengths))
        found = [run.p50, run.p90, run.p99, run.max]
        assert found == [rank_of(lengths, at) for at in (50, 90, 99, 100)]
        gap = rows[kind, "gap"]
        lengths = [ns for name, ns in told if name == kind]
        assert gap.count_ == len(lengths)
        for ns, at in ((gap.p50, 50), (gap.p90, 90), (gap.p99, 99), (gap.max, 100)):
            # The frame of the queue's get ends a little after the wait itself.
            assert abs(ns - rank_of(lengths, at)) < 10 * US
        assert gap.main_cause == "host_sync"
    decode = rows["decode", "iteration"]
    assert decode.outliers == 3
    assert decode.tokens == 8 * decode.count_
    assert rows["prefill", "iteration"].outliers == 0
    paused = sum(row.no_work_ns or 0 for row in rows.values())
    assert abs(paused - 160 * MS) < 50 * US


def test_the_gap_between_decodes_and_the_slow_ones_are_findings(job: Concluded) -> None:
    findings = {one.rule.name: one for one in found(job.store)}
    told = [ns for kind, ns in gaps(job) if kind == "decode"]
    gap = findings["iteration_gap"]
    assert gap.values["count"] == len(told)
    assert abs((gap.ns or 0) - sum(told)) < 10 * US * len(told)
    assert gap.values["cause"] == "host_sync"
    assert gap.evidence
    # Time without a request is in no denominator of a server.
    assert (gap.period or 0) + 160 * MS < job.truth.periods[0][-1].end - job.truth.periods[0][
        0
    ].start
    slow = findings["slow_iterations"]
    assert (slow.values["count"], slow.values["kind"], slow.variant) == (3, "decode", None)
    assert abs((slow.ns or 0) - 3 * 9 * MS) < MS
    assert slow.step in {8, 20, 32}
    assert "lead_in" not in findings


@pytest.mark.parametrize(
    ("slow", "variant"),
    [
        ({"tokens": 9, "dur": 30, "device_dur": 28}, "tokens"),
        ({"dur": 30, "device_dur": 28}, "run"),
    ],
)
def test_what_slow_iterations_have_that_others_have_not_is_said(
    slow: dict[str, int], variant: str, tmp_path: Path
) -> None:
    builder = StoreBuilder(tmp_path).rank(0).add("profile", rank_known=True, switches="{}")
    ts = 0
    for step in range(1, 10):
        one = {"dur": 10, "device_dur": 8, "tokens": 2, **(slow if step == 5 else {})}
        builder.add(
            "step", step=step, kind="decode", warmup=False, ts=ts * MS, device_ts=(ts + 2) * MS,
            **{name: value * (1 if name == "tokens" else MS) for name, value in one.items()},
        )  # fmt: skip
        builder.add(
            "stall", stall_id=step, device_id=0, step=step, state="idle", place="lead_in",
            ts=ts * MS, dur=2 * MS, cause="host_framework", inferred=False,
        )  # fmt: skip
        ts += one["dur"]
    one = named(found(builder.build()), "slow_iterations")
    assert (one.variant, one.ns, one.values["count"]) == (variant, 20 * MS, 1)


def test_what_is_slow_for_its_kind_alone_is_an_outlier(job: Concluded) -> None:
    rows = ask(job.store, "steps")
    assert [row.step for row in rows if row.outlier] == [8, 20, 32]


def test_a_pause_is_in_the_phase_before_an_iteration_of_its_kind(job: Concluded) -> None:
    [before] = [row for row in ask(job.store, "phases", step=12) if row.phase == "lead_in"]
    # Without marks the copy of the last tokens is behind the iteration, and the pause behind it.
    assert before.main_cause == ("lead_in:no_work" if job.name == "server" else "no_work")
    assert {row.phase for row in ask(job.store, "phases", step=13)} >= {"lead_in", "decode"}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Five decodes of 10, one of 30 and a prefill of 40; 100 without a request before the last."""
    builder = StoreBuilder(tmp_path).rank(0)
    ts = 0
    for step, (kind, dur) in enumerate(
        [*[("decode", 10)] * 4, ("prefill", 40), ("decode", 30), ("decode", 110)], 1
    ):
        builder.add(
            "step",
            step=step,
            source="annotation",
            kind=kind,
            inferred=False,
            warmup=False,
            ts=ts,
            dur=dur,
            device_ts=ts + dur - 8,
            device_dur=8,
            tokens=2 if kind == "decode" else None,
        )
        ts += dur
    stall = {"device_id": 0, "state": "idle", "place": "lead_in", "inferred": False}
    builder.add("stall", stall_id=1, step=7, ts=ts - 110, dur=100, cause="no_work", **stall)
    builder.add("stall", stall_id=2, step=6, ts=80, dur=20, cause="gc", **stall)
    return builder.build()


def test_each_kind_has_its_whole_its_gap_and_its_run(store: Store) -> None:
    rows = ask(store, "iterations", kind="decode")
    same = (0, "decode")
    assert rows == [
        IterationsRow(
            *(*same, "iteration", "annotation", False, 6, 1),
            *(10, 30, 30, 30, 80, 6, 12, 1e9 * 12 / 80, None, None, 100),
        ),
        # The first of all has none before it.
        IterationsRow(
            *(*same, "gap", "annotation", False, 5, 1),
            *(2, 22, 22, 22, 30, 6, None, None, "gc", 20, None),
        ),
        IterationsRow(
            *(*same, "run", "annotation", False, 6, 1),
            *(8, 8, 8, 8, 48, 1, None, None, None, None, None),
        ),
    ]
    assert [row.kind for row in ask(store, "iterations", part="run")] == ["prefill", "decode"]


def test_what_is_not_known_of_one_iteration_is_not_summed(store: Store) -> None:
    assert ask(store, "iterations", kind="prefill")[0].tokens is None


def test_the_command_shows_the_statistics_that_are_asked_for(conclude: Conclude, run: Run) -> None:
    profile = conclude("server").store.path
    ran = run("iters", profile, "--kind", "decode", "--stat", "p99,p50")
    assert ran.status == 0
    head = ran.lines[0].split()
    assert head[:6] == ["kind", "part", "count", "outliers", "p99", "p50"]
    assert not {"p90", "max", "total"} & set(head)
    assert [line.split()[:2] for line in ran.lines[1:4]] == [
        ["decode", part] for part in ("iteration", "gap", "run")
    ]
    refused = run("iters", profile, "--stat", "p42")
    assert refused.status == 2
    assert "no statistic 'p42'" in refused.err
