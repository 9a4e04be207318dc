"""Commands by a few of their letters.

Textual's own matcher tries every way in which the letters can lie in a text, and their
number grows with the power of the letters: names from data would stop the screen.
"""

from typing import NamedTuple

WORD_START = 4
"""What a letter at the start of a word counts; one right behind another counts half of it."""


class Match(NamedTuple):
    """How well a text is meant, the higher the better, and the places of the letters."""

    score: int
    places: tuple[int, ...]


def match(typed: str, text: str) -> Match | None:
    """Find the letters of ``typed`` in a text, in their order, whatever the case.

    Words that the text holds as they are are found there, best at the start of a word;
    else each letter is taken where it comes first. None if they are not there; blanks
    count for nothing.
    """
    words, where = typed.casefold().split(), text.lower()
    places = _whole(words, where)
    if places is None:
        places = _spread("".join(words), where)
    return None if places is None else Match(_score(places, where), tuple(places))


def _whole(words: list[str], text: str) -> list[int] | None:
    """Return the places of words that a text holds one behind the other."""
    places: list[int] = []
    begin = 0
    for word in words:
        first = at = text.find(word, begin)
        while at != -1 and not _starts_word(text, at):
            at = text.find(word, at + 1)
        at = first if at == -1 else at
        if at == -1:
            return None
        begin = at + len(word)
        places += range(at, begin)
    return places


def _spread(letters: str, text: str) -> list[int] | None:
    """Return the first places at which letters come one behind the other."""
    places: list[int] = []
    begin = 0
    for letter in letters:
        at = text.find(letter, begin)
        if at == -1:
            return None
        places.append(at)
        begin = at + 1
    return places


def _score(places: list[int], text: str) -> int:
    score = 0
    for before, place in zip([-2, *places], places, strict=False):
        if _starts_word(text, place):
            score += WORD_START
        elif place == before + 1:
            score += WORD_START // 2
    return score


def _starts_word(text: str, place: int) -> bool:
    return place == 0 or not text[place - 1].isalnum()
