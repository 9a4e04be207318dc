"""Keys: every action has one, none has two meanings, and people can choose others."""

import asyncio
import string
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App
from textual.binding import Binding
from textual.keys import (
    _character_to_key,  # pyright: ignore[reportPrivateUsage] # what a terminal's character becomes
)

from npuview.ingest.errors import UsageError
from npuview.tui.keyboard.actions import ACTIONS
from npuview.tui.keyboard.key_names import checked, is_typed, name_of, readable
from npuview.tui.keyboard.key_places import PLACES
from npuview.tui.keyboard.keymap import PRESETS, remapped
from npuview.tui.keyboard.keys import (
    FooterEntry,
    Keymap,
    actions_at,
    bindings,
    footer_entries,
    footer_gap,
    help_rows,
    keys_at,
)

WIDTHS = st.integers(20, 240)
SIMPLE = {"escape", "tab", "shift+tab", "pageup", "pagedown", "home", "end"}
SOME_PLACE = st.sampled_from(list(PLACES))


def keys_of(where: str, keymap: Keymap | None = None) -> list[str]:
    return [key for action in actions_at(where) for key in keys_at(action, where, keymap)]


def footer(where: str, width: int) -> str:
    gap = " " * footer_gap(width)
    return gap.join(f"{entry.keys} {entry.label}" for entry in footer_entries(where, width))


def test_every_action_has_a_key_a_label_a_sentence_and_a_place() -> None:
    for action in ACTIONS:
        assert action.keys, action
        assert action.label, action
        assert action.about.endswith("."), action
        assert action.where in PLACES, action


def test_no_two_actions_have_one_id() -> None:
    assert max(Counter(action.id for action in ACTIONS).values()) == 1


def test_every_key_is_called_as_textual_calls_it() -> None:
    for action in ACTIONS:
        for key in action.keys.split(","):
            assert checked(key) == key, action


@pytest.mark.parametrize("keymap", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("where", PLACES)
def test_a_key_does_one_thing_at_a_place(where: str, keymap: dict[str, str]) -> None:
    counted = Counter(
        key for action in actions_at(where) for key in keymap.get(action.id, action.keys).split(",")
    )
    assert [key for key, count in counted.items() if count > 1] == []


@pytest.mark.parametrize("keymap", PRESETS.values(), ids=PRESETS)
def test_outside_the_editor_nothing_needs_ctrl_or_a_function_key(keymap: dict[str, str]) -> None:
    # A statement is typed in the SQL view: letters would land in it.
    for action in ACTIONS:
        if action.where == "sql" or PLACES[action.where].typing:
            continue
        first = keymap.get(action.id, action.keys).split(",")[0]
        plain = len(first) == 1 or is_typed(first)
        assert plain or first in SIMPLE, action


def test_in_the_editor_no_action_of_another_place_takes_a_character() -> None:
    assert [key for key in keys_of("editor") if is_typed(key)] == []
    assert {"ctrl+j", "f1", "escape", "tab", "ctrl+q"} <= set(keys_of("editor"))


def test_the_keys_of_the_design_mean_what_it_says() -> None:
    meaning = {
        key: action.id for action in actions_at("timeline") for key in action.keys.split(",")
    }
    expected = {
        "w": "timeline.zoom_in",
        "m": "timeline.measure",
        "v": "timeline.range",
        "V": "timeline.sublanes",
        "right_curly_bracket": "timeline.next_gap",
        "greater_than_sign": "global.next_step",
        "escape": "global.back",
        "q": "global.quit",
    }
    assert {key: meaning[key] for key in expected} == expected
    assert "G" not in {key for where in PLACES for key in keys_of(where)}


def test_bindings_carry_the_ids_by_which_textual_changes_them() -> None:
    [zoom] = [one for one in bindings("timeline") if isinstance(one, Binding) and one.key[0] == "w"]
    assert (zoom.id, zoom.action, zoom.key) == ("timeline.zoom_in", "zoom_in", "w,plus")


def test_bindings_of_a_place_that_there_is_not_name_those_there_are() -> None:
    with pytest.raises(KeyError, match="overview"):
        bindings("nowhere")


@pytest.mark.parametrize(
    ("where", "width", "line"),
    [
        (
            "timeline",
            160,
            "enter details   w s zoom   a d pan   j k lane   . , slice   } { gap   ? keys   q quit",
        ),
        ("timeline", 80, "enter details  w s zoom  a d pan  } { gap  ? keys  q quit"),
        ("overview", 80, "enter timeline  i w m open  tab panel  / search  ? keys  q quit"),
        ("gaps", 80, "enter timeline  c cause  T group  v evidence  ? keys  q quit"),
        (
            "editor",
            80,
            "ctrl+j run  ctrl+o questions  ctrl+s save  tab panel  f1 keys  ctrl+q quit",
        ),
    ],
)
def test_the_footer_shows_what_matters_most(where: str, width: int, line: str) -> None:
    assert footer(where, width) == line


@given(SOME_PLACE, WIDTHS)
def test_the_footer_fits_and_keeps_the_help_and_the_way_out(where: str, width: int) -> None:
    entries = footer_entries(where, width)
    assert len(entries) <= (6 if width < 100 else 8)
    assert len(footer(where, width)) <= max(width - 2, len("ctrl+q quit  f1 keys"))
    if where == "global" or "global" in PLACES[where].around:
        assert [entry.label for entry in entries[-2:]] == ["keys", "quit"]


@given(SOME_PLACE, WIDTHS)
def test_a_wider_footer_never_loses_an_entry_of_its_level(where: str, width: int) -> None:
    if footer_gap(width) == footer_gap(width + 1):
        assert set(footer_entries(where, width)) <= set(footer_entries(where, width + 1))


def test_the_footer_and_the_help_show_keys_that_were_chosen() -> None:
    keymap = remapped({"timeline.zoom_in": "i"})
    assert FooterEntry("i s", "zoom") in footer_entries("timeline", 160, keymap)
    [row] = [one for one in help_rows("timeline", keymap) if one.about == "Show less time, larger."]
    assert row.keys == "i"


def test_the_help_names_the_keys_of_the_place_first_and_as_people_read_them() -> None:
    rows = help_rows("timeline")
    assert rows[0].where == "timeline"
    assert rows[-1].where == "global"
    assert "}" in [row.keys for row in rows]
    assert "?  f1" in [row.keys for row in rows]


@pytest.mark.parametrize("character", [*string.printable[:95], "é", "ß", "§", "°"])
def test_characters_are_called_as_textual_calls_them(character: str) -> None:
    expected = "space" if character == " " else _character_to_key(character)
    assert name_of(character) == expected


@given(st.characters(max_codepoint=127, categories=["L", "N", "P", "S"]))
def test_a_key_that_is_a_character_is_read_as_that_character(character: str) -> None:
    assert readable(name_of(character)) == character


@pytest.mark.parametrize(
    ("given_key", "key"),
    [
        ("+", "plus"),
        ("esc", "escape"),
        ("ctrl+m", "enter"),
        ("ctrl+j", "ctrl+j"),
        ("shift+ctrl+up", "ctrl+shift+up"),
        ("ctrl+]", "ctrl+right_square_bracket"),
        ("ctrl+A", "ctrl+a"),
        ("F", "F"),
    ],
)
def test_keys_are_taken_in_the_words_of_people(given_key: str, key: str) -> None:
    assert checked(given_key) == key


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("pageuo", "did you mean pageup"),
        ("shift+a", "the capital one"),
        ("hyper+x", "no key 'hyper"),
        ("", "no key ''"),
        ("\x1b", "no key"),
    ],
)
def test_what_is_no_key_is_refused_with_what_is_one(key: str, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        checked(key)


def test_an_unknown_action_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UsageError, match=r"did you mean timeline\.zoom_in\?"):
        remapped({"timeline.zoomin": "i"})


def test_an_unknown_key_is_refused_with_the_nearest_one_there_is() -> None:
    with pytest.raises(UsageError, match=r"no key 'plsu'; did you mean plus"):
        remapped({"timeline.zoom_in": "w,plsu"})


def test_an_empty_key_is_refused() -> None:
    with pytest.raises(UsageError, match="the key , is called comma"):
        remapped({"timeline.zoom_in": "w,,"})


def test_two_actions_on_one_key_are_refused_with_both_names() -> None:
    with pytest.raises(UsageError, match=r"the key s would be both timeline\.zoom_in and timel"):
        remapped({"timeline.zoom_in": "s"})


def test_a_global_action_is_not_hidden_by_one_of_a_place() -> None:
    with pytest.raises(UsageError, match=r"timeline\.pan_left and global\.quit"):
        remapped({"timeline.pan_left": "q"})


def test_two_actions_may_change_places() -> None:
    keymap = remapped({"timeline.zoom_in": "s", "timeline.zoom_out": "w"})
    assert keymap == {"timeline.zoom_in": "s", "timeline.zoom_out": "w"}


def test_a_preset_may_be_changed_further() -> None:
    keymap = remapped({"global.quit": "X"}, PRESETS["azerty"])
    assert keymap["global.quit"] == "X"
    assert keymap["timeline.zoom_in"].startswith("z,")


def test_textual_takes_the_keymap() -> None:
    pressed: list[str] = []

    class Bound(App[None]):
        BINDINGS = bindings("timeline")

        def action_zoom_in(self) -> None:
            pressed.append("in")

        def action_pan_left(self) -> None:
            pressed.append("left")

    async def press() -> None:
        app = Bound()
        async with app.run_test() as pilot:
            app.set_keymap(PRESETS["azerty"])
            await pilot.press("z", "q", "plus", "w", "h")

    asyncio.run(press())
    assert pressed == ["in", "left", "in", "left"]
