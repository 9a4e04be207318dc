"""Roles, colours and characters: what a terminal can show of them."""

from dataclasses import fields
from itertools import combinations, product

import pytest
from rich.color import Color, ColorSystem

from npuview.ingest.schema import SLICE_CLASSES
from npuview.tui.draw.look import BLACK, COLORS, WHITE, Glyphs, Look, Paint
from npuview.tui.draw.role import Role, letter_of, role_of
from npuview.tui.draw.run import FOUND, SELECTED, Attributes, Run, drawn, joined
from npuview.tui.draw.safe_text import cell_len

glyph_levels: tuple[Glyphs, ...] = ("unicode", "blocks", "ascii")


def luminance(color: str) -> float:
    """Return the relative luminance of WCAG 2."""
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("glyphs", glyph_levels)
def test_every_sign_is_one_cell_in_the_characters_of_its_level(glyphs: Glyphs) -> None:
    signs = Look(glyphs).signs
    for field in fields(signs):
        sign: str = getattr(signs, field.name)
        assert [cell_len(one) for one in sign] == [1] * len(sign)
        assert len(sign) == 1 or field.name in {"ramp", "corners"}
        if glyphs == "ascii":
            assert sign.isascii()
        if glyphs == "blocks":
            # Python maps 0x10 and 0x11 of code page 437 to controls, not to arrows.
            sign.translate(str.maketrans("", "", "►◄")).encode("cp437")


@pytest.mark.parametrize("glyphs", glyph_levels)
def test_what_covers_cells_is_no_step_of_the_ramp(glyphs: Glyphs) -> None:
    signs = Look(glyphs).signs
    assert not set(signs.ramp) & {signs.gap_line, signs.unfinished, signs.off_left}


@pytest.mark.parametrize("system", [ColorSystem.STANDARD, ColorSystem.EIGHT_BIT])
def test_seven_hues_stay_seven_on_a_terminal_with_few(system: ColorSystem) -> None:
    mapped = {Color.parse(color).downgrade(system).number for color in COLORS.values()}
    assert len(mapped) == len(COLORS) == 7


@pytest.mark.parametrize("role", COLORS)
def test_text_on_a_block_can_be_read(role: Role) -> None:
    paint = Look().paint(role, filled=True)
    assert paint.ground == COLORS[role]
    assert paint.foreground in {BLACK, WHITE}
    assert contrast(paint.foreground or "", paint.ground or "") > 4.5


@pytest.mark.parametrize("color", [True, False])
def test_what_is_selected_looks_different_from_what_is_not(color: bool) -> None:
    look = Look(color=color)
    for role in Role:
        assert look.paint(role) != look.paint(role, attributes=SELECTED)
        if color:
            assert look.paint(role, filled=True) != look.paint(
                role, filled=True, attributes=SELECTED
            )


def test_without_colour_there_are_attributes_alone() -> None:
    look = Look(color=False)
    for role, filled, attributes in product(Role, (False, True), (SELECTED, FOUND)):
        paint = look.paint(role, filled=filled, attributes=attributes)
        assert (paint.foreground, paint.ground) == (None, None)
    assert look.paint(Role.CUBE, filled=True) == Paint(reverse=True)


def test_plain_text_keeps_the_colour_of_the_terminal() -> None:
    assert Look().paint(Role.PLAIN) == Paint()
    assert Look().paint(Role.DIM) == Paint(dim=True)
    assert Look().paint(Role.PLAIN, attributes=FOUND) == Paint(bold=True, underline=True)
    assert Look().paint(Role.PLAIN, filled=True) == Paint(reverse=True)


def test_every_class_of_the_store_has_a_role() -> None:
    assert {name: role_of(None, name) for name in SLICE_CLASSES} == {
        "compute": Role.CUBE,
        "communication": Role.COMMUNICATION,
        "mc2": Role.CUBE,
        "copy": Role.MOVING,
        "wait": Role.WAITING,
        "sync": Role.HOST,
        "control": Role.HOST,
        "host": Role.HOST,
        "step": Role.DIM,
        "overlap": Role.PLAIN,
        "other": Role.PLAIN,
    }
    assert role_of(None, None) is role_of("new", "new") is Role.PLAIN


def test_the_part_of_a_lane_comes_before_the_class() -> None:
    assert role_of("vector", "compute") is Role.VECTOR
    assert role_of("transfer", "communication") is Role.MOVING
    assert role_of("waiting", "wait") is Role.WAITING


def test_letters_tell_classes_without_colour() -> None:
    letters = {part: letter_of(part) for part in ("cube", "vector", "transfer", "waiting")}
    assert "".join(letters.values()) == "CVxw"
    assert all(one != other for one, other in combinations(letters.values(), 2))
    assert (letter_of(None, "group"), letter_of(None, "gap")) == ("N", "·")
    assert letter_of("control", "stream") == letter_of(None, "step") == ""


def test_text_is_written_in_the_characters_there_are() -> None:
    assert Look("ascii").text("3 µs · 矩") == "3 us . ??"
    assert Look("blocks").text("3 µs") == "3 µs"


def test_neighbours_of_one_look_are_one_run() -> None:
    runs = [Run("a", Role.CUBE), Run("", Role.IDLE), Run("b", Role.CUBE), Run("c", Role.IDLE)]
    assert joined(runs) == [Run("ab", Role.CUBE), Run("c", Role.IDLE)]
    bold = (Role.CUBE, Attributes.BOLD)
    assert drawn("abc", [bold, bold, (Role.CUBE, Attributes.NONE)]) == [
        Run("ab", Role.CUBE, False, Attributes.BOLD),
        Run("c", Role.CUBE),
    ]
