"""The head of the overview: which run it is and what distorts it, in the room that there is."""

from dataclasses import replace

import pytest
from overview_build import MS
from row_build import row

from npuview.queries.rows import ProfilesRow, StepsRow
from npuview.tui.draw.safe_text import cell_len
from npuview.tui.overview.job import Job
from npuview.tui.overview.overview_facts import Conditions
from npuview.tui.overview.overview_head import about_rank
from npuview.tui.run import Run
from npuview.tui.user.run_card import RunCard
from npuview.tui.words.spoken import LANGUAGES, Language, speak

PROFILE = row(
    ProfilesRow,
    rank=0,
    producer="torch_npu",
    level="Level1",
    switches='{"with_stack": true, "record_shapes": true, "l2_cache": true}',
)
STEP = row(StepsRow, rank=0, step=50, kind="train", median=156 * MS)
RUN = Run([PROFILE], [STEP], [], [], Job(8, True, (2, 3, 4, 5, 6, 7)))
INFLATED = "host times are inflated by with_stack, record_shapes"
SPACED = Conditions(95_000)
KNOWN = Conditions(95_000, RunCard(120 * MS, "bf16", "32"))


def test_a_wide_head_says_what_was_run_and_what_distorts_it() -> None:
    assert about_rank(RUN, 0, SPACED, 156, roomy=True) == [
        "rank 0 of at least 8 (6 not in this data)   torch_npu   Level1",
        f"{INFLATED}; kernel spacing ~95.0 µs, inferred: l2_cache",
    ]


def test_a_narrow_head_keeps_the_figures_and_drops_the_names() -> None:
    [said] = about_rank(RUN, 0, SPACED, 78, roomy=False)
    assert said == "rank 0 of 8+ (6 absent)   Level1   host inflated; kernel spacing ~95.0 µs"


def test_what_was_typed_in_is_told_where_there_is_room() -> None:
    who, slowed = about_rank(RUN, 0, KNOWN, 156, roomy=True)
    assert who.endswith("bf16 · batch 32")
    assert slowed.endswith("step 120 ms without a profiler, overhead 30.0 %")
    [said] = about_rank(RUN, 0, KNOWN, 78, roomy=False)
    assert "off 120 ms (+30.0 %); kernel spacing ~95.0 µs" in said


def test_switches_give_way_to_figures_alone() -> None:
    assert about_rank(RUN, 0, Conditions(), 72, roomy=True)[1].startswith(INFLATED)
    assert about_rank(RUN, 0, SPACED, 72, roomy=True)[1] == (
        "host inflated; kernel spacing ~95.0 µs"
    )


def test_what_is_not_known_is_not_told() -> None:
    bare = replace(RUN, profiles=[PROFILE._replace(switches="{}")], job=None)
    assert about_rank(bare, 0, Conditions(), 78, roomy=False) == ["rank 0   torch_npu   Level1"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [40, 58, 78, 98, 118, 158])
@pytest.mark.parametrize("conditions", [Conditions(), SPACED, KNOWN])
def test_the_head_fits_into_every_width(
    language: Language, width: int, conditions: Conditions
) -> None:
    speak(language)
    rows = about_rank(RUN, 0, conditions, width, roomy=width >= 98)
    assert 1 <= len(rows) <= 2
    assert all(0 < cell_len(one) <= width for one in rows)
