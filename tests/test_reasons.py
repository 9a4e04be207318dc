"""Causes, stages and phases in words."""

import pytest

from npuview.ingest.schema import IDLE_CAUSES
from npuview.tui.draw.reasons import (
    CAUSES,
    FIGURES,
    PHASES,
    SHORT_PHASES,
    cause_words,
    phase_words,
    stage_words,
)
from npuview.tui.draw.safe_text import clean

RECONCILED = {"computing", "communication_not_overlapped", "free", "stage", "preparing"}


def test_every_cause_that_the_store_may_hold_has_words_of_its_own() -> None:
    assert set(IDLE_CAUSES) <= CAUSES.keys()
    assert len(set(CAUSES.values())) == len(CAUSES)
    assert set(FIGURES) == RECONCILED
    assert PHASES.keys() == SHORT_PHASES.keys()


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        ("lead_in:host_framework", "before the first task: Python/framework"),
        ("tail:gc", "after the last task: garbage collection"),
        ("rank 5", "rank 5"),
        ("several ranks", "several ranks"),
        (None, "unknown"),
        ("elsewhere:gc", "elsewhere:gc"),
    ],
)
def test_a_cause_says_its_place_and_a_peer_names_itself(cause: str | None, words: str) -> None:
    assert cause_words(cause) == words


def test_the_host_that_is_late_and_what_follows_the_launch_are_told_apart() -> None:
    assert stage_words("framework").startswith("host late")
    assert stage_words("launch").startswith("host late")
    assert stage_words("device") == "after the launch"
    assert stage_words(None) == "unknown where"


def test_what_has_no_words_is_shown_clean() -> None:
    hostile = "\x1b[31mred"
    for words in (cause_words, stage_words, phase_words):
        assert words(hostile) == clean(hostile)
