"""Whole lines: titles with a rule, and sentences broken to a width."""

import textwrap

from .safe_text import cell_len


def rule(title: str, remark: str, width: int, *, ascii_level: bool = False) -> str:
    """Draw a clean title with a line to the right edge, a remark at its end if there is room."""
    line = "-" if ascii_level else "─"
    head = f"{line * 2} {title} "
    tail = f" {remark}" if remark and cell_len(head) + cell_len(remark) + 4 <= width else ""
    return head + line * (width - cell_len(head) - cell_len(tail)) + tail


def wrapped(sentence: str, width: int) -> list[str]:
    """Break a clean sentence into lines; all but the first are indented."""
    # A wide character counts twice: break as if every line were full of them.
    cells = width if cell_len(sentence) == len(sentence) else width // 2
    return textwrap.wrap(sentence, max(cells, 8), break_on_hyphens=False, subsequent_indent="  ")
