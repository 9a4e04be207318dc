"""What a report holds, whatever it is written as: sections of sentences, tables and pictures."""

from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences that belong together, each clean text."""

    lines: tuple[str, ...]
    listed: bool = False
    """Whether each stands by itself, as in a list."""


class Head(NamedTuple):
    """The head of a column: its clean text, and how the cells below it are set."""

    text: str
    right: bool = False
    verbatim: bool = False
    """Whether cells are names of the profile, which are set as they are."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of clean cells under their heads."""

    heads: tuple[Head, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as SVG, and what it shows, in words, for who cannot see it."""

    name: str
    """Letters, digits and hyphens; no two pictures of a document have the same."""
    words: str
    svg: str


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A command that gives the figures above it, as it is typed."""

    text: str


Block = Sentences | Table | Picture | CommandLine


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a title; the parts of a section are a level deeper."""

    title: str
    blocks: tuple[Block, ...] = ()
    parts: "tuple[Section, ...]" = field(default=())


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report; its sections are in the order in which they are read."""

    title: str
    language: str
    """As HTML names it: en, zh."""
    lead: tuple[Block, ...]
    sections: tuple[Section, ...]
