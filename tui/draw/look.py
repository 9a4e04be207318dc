"""How the canvas looks on a terminal: which characters there are, and which colours.

The hues are Paul Tol's "bright" set: told apart by the colour-blind, and still seven
when a terminal with 16 colours maps them to its own.
"""

from dataclasses import dataclass
from typing import Literal

from .role import Role
from .run import Attributes
from .safe_text import ascii_text

Glyphs = Literal["unicode", "blocks", "ascii"]
"""All characters, those of the Linux console and old fonts (CP437), or ASCII alone."""

BLACK = "#000000"
WHITE = "#FFFFFF"

COLORS: dict[Role, str] = {
    Role.CUBE: "#4477AA",
    Role.VECTOR: "#66CCEE",
    Role.MOVING: "#228833",
    Role.WAITING: "#CCBB44",
    Role.IDLE: "#EE6677",
    Role.COMMUNICATION: "#AA3377",
    Role.HOST: "#BBBBBB",
}
"""The hue of each class; plain and dim text keep the colour of the terminal."""

_DARK = frozenset({Role.CUBE, Role.COMMUNICATION})
"""Grounds on which text is white."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters of a glyph level; each is one cell wide."""

    ramp: str
    """From nothing to full; the cells between are shares of the same size."""
    block_start: str
    """First cell of a filled block: tells it from the block before it."""
    unfinished: str
    chosen: str
    """First cell of a selected block where there is no colour."""
    off_left: str
    off_right: str
    gap_start: str
    gap_line: str
    gap_end: str
    flow_start: str
    flow_line: str
    flow_end: str
    back_start: str
    """An arrow to what is further left starts here, at its right."""
    back_end: str
    tick: str
    cursor: str
    range_start: str
    range_line: str
    range_end: str
    view_line: str
    view_point: str
    frame: str
    """Left and right of the canvas."""
    mark: str
    """Before the label of the selected lane."""
    rule: str
    focused_rule: str
    corners: str
    """Of a box: at the left and right above, then below."""

    @property
    def full(self) -> str:
        """The character of a cell that is busy all the time."""
        return self.ramp[-1]


_UNICODE = Signs(
    ramp=" ▁▂▃▄▅▆▇█",
    block_start="▏",
    unfinished="▶",
    chosen="▸",
    off_left="◀",
    off_right="▶",
    gap_start="├",
    gap_line="╌",
    gap_end="┤",
    flow_start="└",
    flow_line="─",
    flow_end="▸",
    back_start="┘",
    back_end="◂",
    tick="╵",
    cursor="┃",
    range_start="┣",
    range_line="━",
    range_end="┫",
    view_line="━",
    view_point="┻",
    frame="│",
    mark="▌",
    rule="─",
    focused_rule="━",
    corners="╭╮╰╯",
)

_BLOCKS = Signs(
    ramp=" ░▒▓█",
    block_start="│",
    unfinished="►",
    chosen="►",
    off_left="◄",
    off_right="►",
    gap_start="├",
    gap_line="─",
    gap_end="┤",
    flow_start="└",
    flow_line="─",
    flow_end="►",
    back_start="┘",
    back_end="◄",
    tick="│",
    cursor="║",
    range_start="╠",
    range_line="═",
    range_end="╣",
    view_line="═",
    view_point="╩",
    frame="│",
    mark="▌",
    rule="─",
    focused_rule="═",
    corners="┌┐└┘",
)

_ASCII = Signs(
    ramp=" .:-=+*#@",
    block_start="|",
    unfinished=">",
    chosen=">",
    off_left="<",
    off_right=">",
    gap_start="|",
    gap_line="~",  # a dash is three eighths of a cell in the ramp
    gap_end="|",
    flow_start="`",
    flow_line="-",
    flow_end=">",
    back_start="'",
    back_end="<",
    tick="'",
    cursor="|",
    range_start="|",
    range_line="=",
    range_end="|",
    view_line="=",
    view_point="^",
    frame="|",
    mark=">",
    rule="-",
    focused_rule="=",
    corners="++++",
)

_SIGNS: dict[Glyphs, Signs] = {"unicode": _UNICODE, "blocks": _BLOCKS, "ascii": _ASCII}


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours and attributes of a run; no colour means that of the terminal."""

    foreground: str | None = None
    ground: str | None = None
    bold: bool = False
    underline: bool = False
    reverse: bool = False
    dim: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """What a terminal can show."""

    glyphs: Glyphs = "unicode"
    color: bool = True

    @property
    def signs(self) -> Signs:
        """The characters to draw with."""
        return _SIGNS[self.glyphs]

    @property
    def ascii_level(self) -> bool:
        """Whether ASCII is all there is."""
        return self.glyphs == "ascii"

    def text(self, clean: str) -> str:
        """Return clean text in the characters there are, as wide as before."""
        return ascii_text(clean) if self.ascii_level else clean

    def paint(
        self, role: Role, *, filled: bool = False, attributes: Attributes = Attributes.NONE
    ) -> Paint:
        """Return how a run is painted.

        A selected block has a white ground: black text in reverse would look like a
        hole in the lane. Without colour blocks are in reverse, selected ones too; those
        start with a sign of their own.
        """
        bold = Attributes.BOLD in attributes
        underline = Attributes.UNDERLINE in attributes
        reverse = Attributes.REVERSE in attributes
        if not self.color:
            return Paint(None, None, bold, underline, reverse or filled, role is Role.DIM)
        if not filled:
            return Paint(COLORS.get(role), None, bold, underline, reverse, role is Role.DIM)
        if reverse:
            return Paint(BLACK, WHITE, bold=True, underline=underline)
        if role not in COLORS:
            return Paint(None, None, bold, underline, reverse=True)
        ink = WHITE if role in _DARK else BLACK
        return Paint(ink, COLORS[role], bold, underline)
