"""Rows of answers for tests of what is made of them."""

from row_build import row

from npuview.queries.rows import GapsRow, GapSummaryRow, OverviewRow, ProfilesRow
from npuview.tui.overview.overview_facts import Block, Facts

MS = 1_000_000


def a_step(number: int = 7, **parts: object) -> OverviewRow:
    """Return a step of 100 ms: 20 computing, 50 waiting, 25 idle, 5 moving, or as given."""
    values: dict[str, object] = {
        "rank": 0,
        "device_id": 0,
        "step": number,
        "kind": "train",
        "ts": number * 100 * MS,
        "period": 100 * MS,
        "computing": 20 * MS,
        "mc2": 0,
        "aicpu": 0,
        "waiting_peer": 50 * MS,
        "waiting_stage": 0,
        "waiting_event": 0,
        "waiting": 50 * MS,
        "transferring": 4 * MS,
        "copying": 1 * MS,
        "collective_other": 0,
        "moving": 5 * MS,
        "collective_unsplit": 0,
        "idle": 25 * MS,
    }
    return row(OverviewRow, **(values | parts))


STEP = a_step()
BLOCK = Block("", 0, (STEP,))
FACTS = Facts([], [STEP], [], [], [])
GAP = row(
    GapsRow, rank=0, device_id=0, ts=740 * MS, dur=12 * MS, idle_ns=12 * MS, next_name="MatMul"
)


def summary(count: int, idle: int) -> GapSummaryRow:
    return row(
        GapSummaryRow, rank=0, device_id=0, count_=count, idle_ns=idle, total=idle, longest=12 * MS
    )


LEVEL0 = row(ProfilesRow, rank=0, producer="torch_npu", level="Level0", switches="{}")
UNSPLIT = a_step(
    waiting_peer=None,
    waiting_stage=None,
    transferring=None,
    waiting=0,
    moving=1 * MS,
    collective_other=0,
    collective_unsplit=54 * MS,
)
"""A step of a profile without plane tasks."""
