"""The hits of a search: the next one from where one is, around the end, counted."""

from hypothesis import given
from hypothesis import strategies as st
from row_build import row

from npuview.queries.rows_timeline import SearchHitsRow
from npuview.tui.draw.run import Attributes
from npuview.tui.timeline.hits import MOST_HITS, Hits


def hits_at(*starts: int) -> Hits:
    rows = [row(SearchHitsRow, slice_id=at, ts=ts, dur=1) for at, ts in enumerate(starts)]
    return Hits("mat", rows, Attributes.BOLD)


@given(st.lists(st.integers(0, 1000), min_size=1), st.integers(-5, 1005))
def test_the_first_hit_is_the_next_one_in_time_or_the_first_of_all(
    starts: list[int], ts: int
) -> None:
    hits = hits_at(*sorted(starts)).after(ts)
    later = [start for start in sorted(starts) if start >= ts]
    assert hits.row.ts == (later[0] if later else min(starts))
    assert all(one.ts < ts for one in hits.rows[: hits.at]) or not later


@given(st.integers(1, 9), st.lists(st.sampled_from([-1, 1]), max_size=30))
def test_moving_goes_around_the_end_both_ways(count: int, steps: list[int]) -> None:
    hits = hits_at(*range(count))
    for step in steps:
        hits = hits.moved(step)
    assert hits.row.ts == sum(steps) % count


def test_no_hits_have_no_next_one() -> None:
    assert hits_at().after(5) == hits_at()


def test_which_hit_it_is_of_how_many_is_said() -> None:
    assert hits_at(1, 2, 3).moved(1).said() == "2 of 3"
    # The question stops counting there.
    assert hits_at(*range(MOST_HITS)).moved(-1).said() == f"{MOST_HITS:,} of {MOST_HITS:,}+"
