"""Texts and their numbers: what is remembered, and what is not beyond so many."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from event_texts import document, event_text
from hypothesis import given
from hypothesis import strategies as st
from read_rows import Rows, reference_rows, scanned_rows
from store_content import content

from npuview.ingest.compiled import VARIABLE, has_scanner
from npuview.ingest.pipeline import open_store
from npuview.ingest.read import words
from npuview.ingest.read.words import Words

READERS = [reference_rows, scanned_rows] if has_scanner() else [reference_rows]
TEXTS = st.sampled_from(["", "a", "b", "c", "d", "e", "f", "算"])
IDS = st.from_regex(r"-?[0-9]{0,3}|0[0-9]|4611686018427387(903|904)|x", fullmatch=True) | st.text()


@given(st.lists(st.tuples(st.booleans(), TEXTS)), st.integers(1, 9))
def test_a_number_is_that_of_its_text_and_the_same_as_long_as_texts_are_remembered(
    asked: list[tuple[bool, str]], most: int
) -> None:
    known = Words()
    lasting: dict[str, int] = {"": 0}
    names: dict[str, int] = {"": 0}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "MOST_REMEMBERED", most)
        for is_name, text in asked:
            fresh = len(known.texts)
            number = known.name(text) if is_name else known.code(text)
            assert known.texts[number] == text
            before = names.get(text, lasting.get(text))
            if before is not None:
                assert number == before
            else:
                assert number == fresh
            if not is_name:
                lasting[text] = number
            elif number < most:
                names[text] = number
    assert known.texts[0] == ""


def test_no_more_names_are_remembered_than_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "MOST_REMEMBERED", 3)
    known = Words()
    assert [known.name(text) for text in "abccab"] == [1, 2, 3, 4, 1, 2]
    # A text that must have one number has it from here on, as a name too.
    assert [known.code("c"), known.name("c"), known.code("c")] == [5, 5, 5]
    assert known.texts == ["", "a", "b", "c", "c", "c"]


@given(st.lists(IDS))
def test_ids_of_arrows_are_the_same_number_if_and_only_if_they_are_the_same_text(
    ids: list[str],
) -> None:
    known = Words()
    numbers = {text: known.flow_key(text) for text in ids}
    assert len(set(numbers.values())) == len(numbers)
    for text, number in numbers.items():
        assert known.flow_key(text) == number
        assert text == (str(number) if number >= 0 else known.texts[-1 - number])


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("most", [0, 1, 5])
def test_rows_have_the_same_texts_however_few_are_remembered(
    read: Callable[..., Rows], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = Random(7)  # noqa: S311 - made up the same every time
    texts = [document([event_text(chance) for _ in range(30)], chance) for _ in range(20)]
    ways = {"block": 900} if read is scanned_rows else {}
    whole = [read(text, **ways) for text in texts]
    monkeypatch.setattr(words, "MOST_REMEMBERED", most)
    assert [read(text, **ways) for text in texts] == whole


@pytest.mark.parametrize("reader", ["on", "off"])
def test_a_store_is_the_same_however_few_are_remembered(
    sample: Path, tmp_path: Path, reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, reader)
    whole = content(open_store(sample, cache_dir=tmp_path / "all").store)
    monkeypatch.setattr(words, "MOST_REMEMBERED", 5)
    assert content(open_store(sample, cache_dir=tmp_path / "few").store) == whole
