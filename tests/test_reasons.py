"""Causes, stages and phases in words."""

import pytest

from npuview.ingest.schema import IDLE_CAUSES, LEDGER_STATES, STEP_PHASES
from npuview.tui.draw.safe_text import clean
from npuview.tui.words.catalogue import words_of
from npuview.tui.words.reasons import cause_words, phase_words, stage_words
from npuview.tui.words.spoken import LANGUAGES, Language

RECONCILED = {"computing", "communication_not_overlapped", "free", "stage", "preparing"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_that_the_store_may_hold_has_words_of_its_own(language: Language) -> None:
    words = words_of(language)
    assert set(IDLE_CAUSES) <= words.causes.keys()
    assert len(set(words.causes.values())) == len(words.causes)
    assert set(words.figures) == set(words.figures_about) == RECONCILED
    assert list(words.phases) == list(words.short_phases) == list(STEP_PHASES)
    assert words.states.keys() < set(LEDGER_STATES)


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
