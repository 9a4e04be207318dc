"""Ingests a trace that a test gives as the texts of its events."""

from pathlib import Path

from conftest import Ingest, Ingested


class Read:
    """Ingests a trace given as the text of its events."""

    def __init__(self, path: Path, ingest: Ingest) -> None:
        self.path = path
        self.ingest = ingest

    def __call__(self, *events: str) -> Ingested:
        self.path.write_text("[" + ",".join(events) + "]", "utf-8")
        return self.ingest(self.path, force=True)
