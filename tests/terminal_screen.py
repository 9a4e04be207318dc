"""A program in a terminal whose screen is read as a person reads it."""

import re
from collections.abc import Mapping, Sequence

import pyte
from terminal_program import PATIENCE_S, TerminalProgram

_UNKNOWN = re.compile(rb"\x1b\[(?:[<>=][0-9;]*[A-Za-z]|\?[0-9]+\$p)")
"""Questions and modes that pyte takes for text: they draw nothing."""

_WHOLE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-Z^-~])")


class TerminalScreen(TerminalProgram):
    """Like a program in a terminal, but its ``text`` is what the screen shows now."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        size: tuple[int, int] = (80, 24),
        environ: Mapping[str, str] | None = None,
        patience_s: float = PATIENCE_S,
        of_session: bool = True,
    ) -> None:
        self._screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self._screen)
        self._drawn = 0
        super().__init__(
            command, size=size, environ=environ, patience_s=patience_s, of_session=of_session
        )

    @property
    def lines(self) -> list[str]:
        """The rows of the screen, without blanks at their ends."""
        self._draw()
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """What the screen shows now."""
        return "\n".join(self.lines)

    def picture(self) -> str:
        """Return the screen in a frame."""
        columns, _ = self.size
        edge = f"+{'-' * columns}+"
        return "\n".join([edge, *(f"|{line:{columns}}|" for line in self.lines), edge])

    def _draw(self) -> None:
        """Draw what came, but for a sequence at its end that is not whole yet."""
        new = self.written[self._drawn :]
        last = new.rfind(b"\x1b")
        if last >= 0 and not _WHOLE.match(new, last):
            new = new[:last]
        self._drawn += len(new)
        self._stream.feed(_UNKNOWN.sub(b"", new))
