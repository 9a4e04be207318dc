"""Texts that repeat, each known by a number."""

from typing import Final

from .rows import MOST_FLOW_NUMBER

MOST_REMEMBERED: Final = 4 << 20
"""Beyond so many texts the name of a slice that is not known gets a number of its own each
time it comes, so that a file of nothing but different names does not fill the memory."""

_LONGEST_NUMBER: Final = 19


class Words:
    """Texts in the order in which they came; the first is the empty one."""

    def __init__(self) -> None:
        self.texts: list[str] = [""]
        self._codes: dict[str, int] = {"": 0}

    def code(self, text: str) -> int:
        """Return the number of a text, always the same."""
        code = self._codes.get(text)
        if code is None:
            code = self._codes[text] = len(self.texts)
            self.texts.append(text)
        return code

    def name(self, text: str) -> int:
        """Return a number of a slice's name; of two numbers the text may be the same."""
        code = self._codes.get(text)
        if code is None:
            code = len(self.texts)
            self.texts.append(text)
            if code < MOST_REMEMBERED:
                self._codes[text] = code
        return code

    def flow_key(self, text: str) -> int:
        """Return the id of an arrow as a number: itself, or below zero for its word.

        Ids are numbers as a rule, and all different: as words they would fill the memory.
        """
        plain = text.isdecimal() and text.isascii() and len(text) <= _LONGEST_NUMBER
        if plain and (text[0] != "0" or text == "0") and (number := int(text)) < MOST_FLOW_NUMBER:
            return number
        return -1 - self.code(text)
