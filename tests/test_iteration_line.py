"""The iterations of a server in the overview: a line for each kind."""

from dataclasses import replace

from overview_build import FACTS, STEP
from row_build import row

from npuview.queries.rows import IterationsRow
from npuview.tui.overview.iteration_line import iteration_lines
from npuview.tui.overview.overview_facts import Block

US = 1_000


def part(kind: str, name: str, p50: int, p99: int, **more: object) -> IterationsRow:
    values = {"count_": 1200, "p50": p50 * US, "p99": p99 * US, **more}
    return row(IterationsRow, rank=STEP.rank, kind=kind, part=name, **values)


def lines(*rows: IterationsRow) -> list[str]:
    block = Block("", STEP.rank, (STEP,))
    return list(iteration_lines(block, replace(FACTS, iterations=rows)))


def test_each_kind_of_a_server_has_its_whole_and_the_gap_before_it() -> None:
    assert lines(
        part("prefill", "iteration", 30_000, 41_000, no_work_ns=0),
        part("decode", "iteration", 6_840, 15_800, no_work_ns=160_000_000),
        part("decode", "gap", 796, 9_780, main_cause="host_sync"),
    ) == [
        "1,200 prefill: p50 30.0 ms p99 41.0 ms",
        "1,200 decode: p50 6.84 ms p99 15.8 ms · gap p50 796 µs p99 9.78 ms, mostly blocking call",
        "no request 160 ms",
    ]


def test_training_has_no_line_of_iterations() -> None:
    assert lines(part("train", "iteration", 30_000, 41_000, no_work_ns=0)) == []
