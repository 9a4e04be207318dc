"""No text of a profile, of a preset or of a paste steers the terminal, whatever shows it."""

import ast
import base64
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile import MARKUP, NAMES, hostile_profile
from hostile_store import store_of
from rich.cells import cell_len
from rich.style import Style
from screen import Screen, opened
from terminal_program import TerminalProgram
from textual import events

import npuview.tui
from npuview.ingest.pipeline import open_store
from npuview.ingest.store import Store
from npuview.tui.app import VIEWS
from npuview.tui.draw.look import COLORS
from npuview.tui.widgets.editor import Editor

SIZES = [(80, 24), (160, 45)]
LEAVES = "[@click=app.quit()]Q[/]"

HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)

HUES = {one.lower() for one in COLORS.values()}

WAYS = {
    "overview": "j j j tab j j y enter escape tab j enter escape i escape w escape m escape",
    "steps": "S j j y enter escape escape greater_than_sign less_than_sign 4 j j j",
    "timeline": "2 j j w w w w full_stop full_stop asterisk n y m v d v f u V V 0 0"
    " right_square_bracket left_square_bracket right_curly_bracket j j j w full_stop k z z",
    "top": "3 j j y T j T o o enter j y enter y x j escape",
    "details": "3 end enter enter p j pagedown pagedown full_stop full_stop u x j j escape escape",
    "gaps": "4 j j j y o enter escape",
    "waits": "1 w j j y tab j tab j enter escape",
    "memory": "M h l p c T j enter escape y",
    "moves": "1 m j j y tab j tab j enter escape",
    "dialogs": "1 3 j question_mark pagedown escape colon pagedown down escape e tab tab escape"
    " 4 j j j",
    "dialogs of a slice": "2 w w w w full_stop e down down escape question_mark escape colon",
}


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return hostile_profile(tmp_path_factory.mktemp("hostile")).write()


@pytest.fixture(scope="module")
def store(profile: Path, tmp_path_factory: pytest.TempPathFactory) -> Store:
    return open_store(profile, cache_dir=tmp_path_factory.mktemp("cache")).store


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def assert_harmless(screen: Screen) -> None:
    """Check every cell of the screen: its text, its style, and that rows are as wide as it."""
    app = screen.app
    alone = len(app.screen_stack) == 1
    for strip in screen.strips():
        assert cell_len(strip.text) == strip.cell_length == app.size.width, strip.text
        for character in strip.text:
            assert unicodedata.category(character) not in HIDDEN, ascii(strip.text)
        assert not INVISIBLE.search(strip.text), ascii(strip.text)
        for _, style, _ in strip:
            if style is not None:
                assert_of_ours(style, whole=alone)


def assert_of_ours(style: Style, *, whole: bool) -> None:
    """Check that a style is none of a text's own: greys and the hues of classes alone.

    Under a dialog all of them are dimmed.
    """
    assert not style.meta, style.meta
    assert style.link is None
    assert not any((style.italic, style.blink, style.strike, style.conceal)), style
    for color in (style.color, style.bgcolor) if whole else ():
        red, green, blue = color.get_truecolor() if color is not None else (0, 0, 0)
        assert red == green == blue or (color is not None and color.name in HUES), style


async def go(screen: Screen, *keys: str) -> None:
    for key in keys:
        await screen.press(key)
        assert_harmless(screen)


async def paste(screen: Screen, text: str) -> None:
    """Paste as a terminal does, which takes what has the focus."""
    screen.app.post_message(events.Paste(text))
    await screen.settle()
    assert_harmless(screen)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("subject", WAYS)
async def test_no_view_hands_on_what_steers_a_terminal(
    subject: str, size: tuple[int, int], store: Store
) -> None:
    async with opened(store, size=size) as screen:
        assert_harmless(screen)
        views, signs = set[str](), False
        for key in WAYS[subject].split():
            await go(screen, key)
            views.add(screen.app.view.WHERE)
            signs |= "␛" in screen.text()
        assert subject not in VIEWS or subject in views
        assert signs


@pytest.mark.parametrize("words", [True, False], ids=["its words true", "all hostile"])
async def test_no_column_of_a_store_hands_it_on_either(words: bool, tmp_path: Path) -> None:
    columns = Store.open(store_of(tmp_path, words=words))
    async with opened(columns, size=(160, 45)) as screen:
        for way in WAYS.values():
            await go(screen, "1", *way.split()[:6], "escape")


@pytest.mark.parametrize("name", [MARKUP, LEAVES, "[$primary]x[/]", "%(name)s", "{self.__class__}"])
async def test_what_means_something_to_markup_is_seen_as_it_is(name: str, store: Store) -> None:
    async with opened(store, size=(160, 45)) as screen:
        await go(screen, "3", "ampersand")
        await paste(screen, name)
        await go(screen, "enter")
        assert name in screen.text()
        await go(screen, "enter", "enter")
        assert name in screen.rows()[0]
        await go(screen, "enter")
        await screen.rest()
        assert f"Selected  {name}" in screen.text()


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_search_for_such_a_name_finds_it(size: tuple[int, int], store: Store) -> None:
    async with opened(store, size=size) as screen:
        await go(screen, "2")
        for name in NAMES[1::24]:
            await go(screen, "slash")
            await paste(screen, name)
            await go(screen, "enter", "N")


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_columns_values_and_errors_of_sql_are_shown_as_signs(
    size: tuple[int, int], store: Store
) -> None:
    names = [one for one in NAMES if one and "\0" not in one and not _has_surrogate(one)]
    async with opened(store, size=size) as screen:
        await go(screen, "5")
        for some in (names[at : at + 12] for at in range(0, len(names), 12)):
            columns = ", ".join(f"{_text(one)} AS {_identifier(one)}" for one in some)
            await ask(screen, f"SELECT {columns}")
            await go(screen, "escape", "l", "y", "u")
        for name in names[::16]:
            await ask(screen, f"SELECT {_identifier(name)}, {name}")
            await go(screen, "escape")
        await ask(screen, "SELECT name, args FROM slice JOIN arg_set USING (arg_set_id)")
        await go(screen, "escape", "j", "l", "t", "j", "e", "escape", "ctrl+s")


async def ask(screen: Screen, text: str) -> None:
    """Run a statement in the SQL view."""
    editor = screen.app.query_one(Editor)
    editor.focus()
    editor.put(text)
    await go(screen, "ctrl+j")


def _text(name: str) -> str:
    return "'" + name.replace("'", "''") + "'"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _has_surrogate(name: str) -> bool:
    return any(unicodedata.category(one) == "Cs" for one in name)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_preset_of_somebody_else_steers_nothing(
    size: tuple[int, int], store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "config" / "npuview" / "presets"
    folder.mkdir(parents=True)
    (folder / "evil.sql").write_text(
        f"-- title:   zz {MARKUP} \x1b]0;t\x07 \u202e {LEAVES}\n"
        f"-- about:   \x1b[2J {MARKUP} \x9b31m\n"
        f"-- param:   name VARCHAR = '{MARKUP}\x1b[31m'  \x1b[31m {MARKUP}\n"
        f'-- columns: "{MARKUP}\x1b" VARCHAR\n'
        f'SELECT $name AS "{MARKUP}\x1b"\n'
    )
    async with opened(store, size=size) as screen:
        await go(screen, "5", "ctrl+o")
        await screen.type("zz")
        assert_harmless(screen)
        assert MARKUP in screen.text()
        await go(screen, "enter", "escape", "p", "tab", "enter", "escape")
        await go(screen, "colon")
        await screen.type("zz")
        assert_harmless(screen)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_what_is_pasted_into_a_field_is_shown_as_signs(
    size: tuple[int, int], store: Store
) -> None:
    # A field of one line takes the first line of what is pasted.
    everything = "".join("".join(name.splitlines()[:1]) for name in NAMES)
    async with opened(store, size=size, remember=True) as screen:
        await go(screen, "3")
        for keys in ("b ctrl+u", "b home", "B n", "colon", "e tab tab", "g", "slash", "ampersand"):
            await go(screen, *keys.split())
            await paste(screen, everything)
            await go(screen, "left", "home", "enter", "B", "escape", "escape", "escape")


async def test_the_cursor_of_a_field_stands_where_it_is_among_the_signs(store: Store) -> None:
    async with opened(store) as screen:
        await go(screen, "slash")
        await paste(screen, "a\x07\x08\u202ez")
        assert screen.row_with("search").endswith("search a␇␈\ufffdz")
        await go(screen, "left")
        row = screen.strips()[-2]
        ground = screen.app.screen.rich_style.bgcolor
        [cursor] = [text for text, style, _ in row if style and style.color == ground]
        assert cursor == "z"


# What Textual itself sends.
SEQUENCES = re.compile(
    rb"\x1b(?:"
    rb"\[[0-9;]*m"  # colours and attributes
    rb"|\[[0-9]*(?:;[0-9]+)?H|\[[0-9]*[ABCDGJK]"  # where it draws
    rb"|\[\?[0-9;]+[hl]|\[[<>=][0-9;]*u|\[\?[0-9]+\$p"  # modes, and whether they are known
    rb"|\]22;default\x07"  # the shape of the pointer
    rb"|\]52;c;(?P<copied>[A-Za-z0-9+/=]*)(?:\x07|\x1b\\)"
    rb")"
)
RUN = "import sys; from npuview.tui.cli import main; sys.exit(main())"
VISITS = [
    ("2", "Under the cursor"),
    ("wwww..y", "copied"),
    ("3", "124 operators"),
    ("jy", "copied"),
    ("\r", "1 of 2"),
    ("\r", "Around it"),
    ("y", "copied"),
    ("4", "257"),
    ("?", "Every row is a time between two tasks"),
    ("qq", ""),
]
"""Keys, and what is seen then."""


def test_the_bytes_on_a_terminal_are_those_that_textual_sends(
    profile: Path, tmp_path: Path
) -> None:
    environ = {
        "NPUVIEW_CACHE_DIR": str(tmp_path / "cache"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    command = [sys.executable, "-c", RUN, str(profile)]
    with TerminalProgram(command, size=(120, 40), environ=environ) as program:
        program.until_text("Look here first")
        for keys, seen in VISITS:
            for key in keys:
                program.press(key)
                program.settle()
            program.until_text(seen)
            program.settle()
        program.ends_with(0)
    drawn = program.written[program.written.index(b"\x1b[?1049h") :]
    copied = [found["copied"] for found in SEQUENCES.finditer(drawn) if found["copied"]]
    texts = [base64.b64decode(one).decode() for one in copied]
    assert len(texts) >= 3
    rest = SEQUENCES.sub(b"", drawn).decode()
    for text in (rest.replace("\r\n", ""), *(one.replace("\t", "") for one in texts)):
        steering = [one for one in text if unicodedata.category(one) in HIDDEN]
        assert steering == [], ascii(text[max(0, text.index(steering[0]) - 40) :][:120])


READS_MARKUP = {
    "Static",
    "Label",
    "Button",
    "Checkbox",
    "Link",
    "Markdown",
    "notify",
    "from_markup",
}
"""Calls of which Textual or Rich reads a str as markup."""

READ_LATER = {"border_title", "border_subtitle", "tooltip", "placeholder"}
"""What is read as markup where it is set."""


def markup_of(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions of a node that would be read as markup."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        name = node.func.id if isinstance(node.func, ast.Name) else name
        if name in READS_MARKUP:
            yield from node.args
        yield from (one.value for one in node.keywords if one.arg in READ_LATER)
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Attribute) and target.attr in READ_LATER:
                yield node.value


def is_never_read(node: ast.expr) -> bool:
    """Tell whether an expression is a text of our own, or Content, which is no markup."""
    made = node.func if isinstance(node, ast.Call) else None
    return isinstance(node, ast.Constant) or (isinstance(made, ast.Name) and made.id == "Content")


def markup_in(source: str) -> list[int]:
    """Return the lines of a module in which text that is not our own is read as markup."""
    tree = ast.walk(ast.parse(source))
    read = (one for node in tree for one in markup_of(node))
    return sorted(one.lineno for one in read if not is_never_read(one))


@pytest.mark.parametrize(
    "line",
    [
        "Static(name)",
        'Static(f"{name}")',
        'self.notify("a" + name)',
        "self.border_title = name",
        'Input(placeholder=f"{name}")',
        "Text.from_markup(name)",
    ],
)
def test_the_rule_about_markup_knows_what_breaks_it(line: str) -> None:
    assert markup_in(line) == [1]
    assert markup_in("Static('ours'); self.border_title = Content(name)") == []


def test_no_text_of_data_is_given_to_what_reads_markup() -> None:
    [root] = map(Path, npuview.tui.__path__)
    files = sorted(root.rglob("*.py"))
    assert len(files) > 50
    found = {str(file.relative_to(root)): markup_in(file.read_text()) for file in files}
    assert {file: lines for file, lines in found.items() if lines} == {}
