"""Text from data on its way to a terminal."""

import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

import npuview.tui
from npuview.tui.draw.lines import rule, wrapped
from npuview.tui.draw.look import Look
from npuview.tui.draw.names import fitted
from npuview.tui.draw.safe_text import ascii_text, clean, cut, encodable, masked, pad
from npuview.tui.waiting.question_head import indented
from npuview.tui.widgets.error_panel import error_lines

# Characters that steer a terminal, hide, or change the direction of writing.
HOSTILE = [
    *(chr(code) for code in range(0x20)),
    *(chr(code) for code in range(0x7F, 0xA0)),
    *"\u061c\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202e\u2060\u2066\u2069\ufeff",
    *"\ufe0f\u180e\u00ad\u034f\ud800\udcff\udfff",
    *"\U000e0001\U000e0041\U000e0100\U000e01ef",
]

hostile_text = st.text(st.one_of(st.sampled_from(HOSTILE), st.characters(codec=None)))


def test_plain_ascii_names_stay_the_same_object() -> None:
    name = "aten::add[float32] [@click=app.quit()]"
    assert clean(name) is name


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred", "␛[31mred"),
        ("a\nb\tc\x00", "a␊b␉c␀"),
        ("\x7f", "␡"),
        ("\x9b1m", "⟨U+009B⟩1m"),
        ("gnp.\u202exe", "gnp.⟨U+202E⟩xe"),
        ("a\u200bb", "a⟨U+200B⟩b"),
        ("\U000e0041", "⟨U+E0041⟩"),
        ("x\ufe0f", "x⟨U+FE0F⟩"),
        ("bad\udcff", "bad⟨U+DCFF⟩"),
        ("one\u2028two", "one⟨U+2028⟩two"),
        ("矩阵乘 é", "矩阵乘 é"),
    ],
)
def test_what_could_steer_a_terminal_is_shown_as_a_sign(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize("character", HOSTILE)
def test_no_hostile_character_survives_inside_a_name(character: str) -> None:
    assert character not in clean(f"a{character}b")
    assert clean(f"a{character}b") != "ab"


def test_no_character_of_any_category_that_draws_nothing_survives() -> None:
    hidden = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    survived = {one for one in clean(every) if unicodedata.category(one) in hidden}
    assert survived == set()
    assert clean("a\u00a0b\u3000c") == "a\u00a0b\u3000c"


@pytest.mark.parametrize(
    "code", [0x600, 0x605, 0x6DD, 0x70F, 0x8E2, 0x110BD, 0x13430, 0x1343F, 0xFFFE, 0xFFFF, 0xE000]
)
def test_formats_noncharacters_and_private_ones_are_named(code: int) -> None:
    assert clean(f"a{chr(code)}b") == f"a⟨U+{code:04X}⟩b"


def test_text_that_utf_8_cannot_hold_becomes_text_that_it_can() -> None:
    assert encodable("bad\udcff 矩") == "bad\ufffd 矩"
    assert encodable("矩阵") == "矩阵"


def test_eight_combining_marks_are_drawn_and_nine_are_counted() -> None:
    assert clean("e" + "\u0301" * 8) == "e" + "\u0301" * 8
    assert clean("e" + "\u0301" * 9 + "x") == "e⟨+9⟩x"


@given(hostile_text)
def test_clean_text_is_encodable_has_no_controls_and_is_stable(text: str) -> None:
    shown = clean(text)
    shown.encode()
    assert not any(character in shown for character in HOSTILE)
    assert clean(shown) == shown


@given(hostile_text, st.integers(0, 40))
def test_a_cut_text_is_never_wider_than_asked(text: str, width: int) -> None:
    shown = clean(text, width)
    assert cell_len(shown) <= width
    if cell_len(clean(text)) <= width:
        assert shown == clean(text)


def test_a_wide_character_is_never_split() -> None:
    assert [cell_len(cut("矩阵乘法", width)) for width in range(9)] == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    assert cut("矩阵乘法", 5) == "矩阵…"
    assert cut("矩阵乘法", 4) == "矩 …"


def test_padding_counts_cells_and_not_characters() -> None:
    assert pad("矩阵", 6) == "矩阵  "
    assert pad("矩阵", 6, right=True) == "  矩阵"
    assert pad("long", 2) == "long"


@given(hostile_text)
def test_ascii_text_keeps_the_width_of_clean_text(text: str) -> None:
    shown = clean(text)
    assert ascii_text(shown).isascii()
    assert cell_len(ascii_text(shown)) == cell_len(shown)


def test_our_own_signs_have_ascii_equivalents() -> None:
    assert ascii_text("706 µs \N{EN DASH} a… 矩") == "706 us - a~ ??"


@pytest.mark.parametrize(
    ("name", "width", "shown"),
    [
        ("aclnnAdd_AddAiCore_Add", 22, "aclnnAdd_AddAiCore_Add"),
        ("aclnnAdd_AddAiCore_Add", 17, "Add_AddAiCore_Add"),
        ("aclnnAdd_AddAiCore_Add", 16, "Add"),
        ("aclnnMm_MatMulCommon_MatMulV3", 20, "Mm_MatMul…n_MatMulV3"),
        ("hcom_allReduce__586_0_1", 16, "hcom_al…_586_0_1"),
        ("hcom_allReduce__586_3_1", 10, "hcom…6_3_1"),
        ("hcom_allReduce__586_3_1", 5, "hcom…"),
        ("算子_矩阵乘法", 8, "算 …乘法"),
        ("aclnn", 3, "ac…"),
    ],
)
def test_names_lose_what_they_repeat_and_then_their_middle(
    name: str, width: int, shown: str
) -> None:
    assert fitted(name, width) == shown


@given(st.text("aclnAd_矩", max_size=40), st.integers(1, 40))
def test_a_fitted_name_is_never_too_wide(name: str, width: int) -> None:
    assert cell_len(fitted(name, width)) <= width


@given(st.integers(20, 120), st.text("ab 矩", max_size=30))
def test_a_rule_reaches_the_edge_and_drops_a_remark_without_room(width: int, remark: str) -> None:
    assert cell_len(rule("Gaps", remark, width)) == width
    assert rule("Gaps", remark, width, ascii_level=True).startswith("-- Gaps ")


@given(st.text("ab 矩", max_size=200), st.integers(16, 80))
def test_a_wrapped_sentence_fits_and_keeps_its_words(sentence: str, width: int) -> None:
    lines = wrapped(sentence, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == sentence.replace(" ", "")


@pytest.mark.parametrize("where", ["panel", "error"])
def test_sentences_of_wide_characters_fit_where_lines_are_broken(where: str) -> None:
    said = "每个算子的等待时间都在这里" * 9 + "tail"
    lines = indented([said], 40, Look()) if where == "panel" else error_lines(said, 40, Look())
    texts = ["".join(run.text for run in line) for line in lines]
    assert max(map(cell_len, texts)) <= 40
    assert "".join(text.strip() for text in texts) == said


def test_only_one_module_breaks_lines_as_only_one_counts_cells() -> None:
    [root] = map(Path, npuview.tui.__path__)
    found = {file.name for file in root.rglob("*.py") if "textwrap" in file.read_text("utf-8")}
    assert found == {"lines.py"}


@given(hostile_text)
def test_masked_text_has_a_sign_for_each_character_and_steers_nothing(text: str) -> None:
    shown = masked(text)
    assert len(shown) == len(text)
    assert clean(shown) == shown


def test_masked_text_keeps_what_is_drawn() -> None:
    assert masked("SELECT 'é名' \x1b\u202e") == "SELECT 'é名' ␛\ufffd"
