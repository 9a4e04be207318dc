"""Statements that were run, to go back to."""

from collections.abc import Sequence

MOST_STATEMENTS = 200


class StatementHistory:
    """Statements, the newest last, and a place among them.

    What is being written is kept when the first older one is gone to, and comes back
    behind the newest one.
    """

    def __init__(self, statements: Sequence[str] = ()) -> None:
        self._statements = list(statements)[-MOST_STATEMENTS:]
        self._at = len(self._statements)
        self._written = ""

    @property
    def statements(self) -> tuple[str, ...]:
        """Return all statements, the newest last."""
        return tuple(self._statements)

    def add(self, statement: str) -> None:
        """Add a statement that was run; one that was there already becomes the newest."""
        if statement.strip():
            self._statements = [one for one in self._statements if one != statement]
            self._statements.append(statement)
            del self._statements[:-MOST_STATEMENTS]
        self._at = len(self._statements)
        self._written = ""

    def older(self, written: str) -> str | None:
        """Return the statement before; None if there is none. ``written`` stands now."""
        if self._at == len(self._statements):
            self._written = written
            # The newest one may be what still stands there.
            if self._at and self._statements[-1] == written:
                self._at -= 1
        if self._at == 0:
            return None
        self._at -= 1
        return self._statements[self._at]

    def newer(self) -> str | None:
        """Return the statement behind, at last what was being written; None at the end."""
        if self._at >= len(self._statements):
            return None
        self._at += 1
        return self._written if self._at == len(self._statements) else self._statements[self._at]
