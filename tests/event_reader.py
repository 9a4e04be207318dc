"""Ingests a trace that a test gives as the texts of its events, or only reads it."""

from pathlib import Path

from conftest import Ingest, Ingested
from kept_rows import Kept, kept


class Read:
    """Ingests a trace given as the text of its events."""

    def __init__(self, path: Path, ingest: Ingest) -> None:
        self.path = path
        self.ingest = ingest

    def __call__(self, *events: str) -> Ingested:
        _write(self.path, events)
        return self.ingest(self.path, force=True)


class ReadAlone:
    """Reads a trace given as the text of its events as an ingest does, and makes no store."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, *events: str) -> Kept:
        _write(self.path, events)
        return kept(self.path)


def _write(path: Path, events: tuple[str, ...]) -> None:
    path.write_text("[" + ",".join(events) + "]", "utf-8")
