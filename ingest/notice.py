"""What the reader noticed while reading, counted: the rows of ``import_stat``."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from .text import printable

Severity = Literal["info", "data_loss", "error"]

SAMPLE_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class Notice:
    """One kind of finding in one file: how often, where first, and the first of them.

    ``first_offset`` is a byte offset in JSON, a row number (header = 1) in CSV.
    """

    file: str
    name: str
    severity: Severity
    count: int = 1
    first_offset: int | None = None
    sample: str | None = None


class ImportLog:
    """Counts findings by file and name; the lowest offset and its sample are kept."""

    def __init__(self) -> None:
        self._notices: dict[tuple[str, str], Notice] = {}

    def add(
        self,
        file: str,
        name: str,
        severity: Severity,
        *,
        count: int = 1,
        offset: int | None = None,
        sample: str | None = None,
    ) -> None:
        """Count a finding."""
        key = (file, name)
        known = self._notices.get(key)
        if known is not None:
            first = known.first_offset
            if offset is None or (first is not None and offset >= first):
                self._notices[key] = replace(known, count=known.count + count)
                return
            count += known.count
        if sample is not None and len(sample) > SAMPLE_CHARACTERS:
            sample = sample[: SAMPLE_CHARACTERS - 1] + "…"
        shown = None if sample is None else printable(sample)
        self._notices[key] = Notice(printable(file), name, severity, count, offset, shown)

    def knows(self, file: str, name: str) -> bool:
        """Tell whether a finding was counted before, so that its place is known."""
        return (file, name) in self._notices

    def extend(self, notices: "Iterator[Notice] | tuple[Notice, ...]") -> None:
        """Count findings that were made elsewhere."""
        for one in notices:
            self.add(
                one.file,
                one.name,
                one.severity,
                count=one.count,
                offset=one.first_offset,
                sample=one.sample,
            )

    def __iter__(self) -> Iterator[Notice]:
        return iter(self._notices.values())
