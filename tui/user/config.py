"""How npuview behaves for one person: settings from options, environment and a file.

The first that says something wins: the command line, ``NPUVIEW_<NAME>``, the file
``config.toml``, the default. What is misspelt there is refused, never passed over.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, NamedTuple, cast

from ...ingest.errors import UsageError
from ...ingest.size import parse_size
from ..keyboard.actions import ACTIONS
from ..keyboard.keymap import PRESETS, KeyClash, checked_keys, remapped
from ..places import parse_length
from .config_file import Entry, read_config_file

Value = bool | str
Glyphs = Literal["auto", "unicode", "blocks", "ascii"]
Color = Literal["auto", "16", "256", "true", "none"]
Theme = Literal["dark", "light", "ansi-dark", "ansi-light"]

DEFAULT = "default"
COMMAND_LINE = "command line"

PRESET = "keys.preset"
KEYS = "keys."
"""What the names of settings of keys begin with."""

YES = True
NO = False

AUTO = "auto"
WITHOUT_LIMIT = "none"

_WORDS: dict[str, Value] = {
    **dict.fromkeys(("1", "true", "yes", "on"), YES),
    **dict.fromkeys(("0", "false", "no", "off"), NO),
}


def read_budget(text: str) -> int | Literal["auto"] | None:
    """Read a number of bytes, ``auto``, or ``none``, which is None; raise UsageError."""
    if text == AUTO:
        return AUTO
    return None if text == WITHOUT_LIMIT else parse_size(text)


class Definition(NamedTuple):
    """What a setting may be: one of ``choices``, or without any a text that ``read`` takes."""

    default: Value
    choices: tuple[Value, ...]
    about: str
    read: Callable[[str], object] = parse_length
    wanted: str = 'a length of time such as "100us"'


DEFINITIONS = {
    "mouse": Definition(YES, (YES, NO), "Whether the app takes the mouse."),
    "glyphs": Definition(
        "auto", ("auto", "unicode", "blocks", "ascii"), "The characters of bars and lanes."
    ),
    "color": Definition("auto", ("auto", "16", "256", "true", "none"), "How many colours."),
    "theme": Definition(
        "dark", ("dark", "light", "ansi-dark", "ansi-light"), "The ground that all stands on."
    ),
    "gap_threshold": Definition("100us", (), "The length from which a gap counts."),
    "restore": Definition(YES, (YES, NO), "Whether a profile opens where it was left."),
    "low_bandwidth": Definition("auto", ("auto", YES, NO), "Whether to draw less often."),
    "cache_budget": Definition(
        AUTO,
        (),
        "How much room all stores may take, such as 50GB; none is no limit, auto is 20 GB, at"
        " most a tenth of the file system.",
        read_budget,
        'a size such as "50GB", "auto" or "none"',
    ),
    PRESET: Definition("qwerty", tuple(PRESETS), "The keyboard that the keys are meant for."),
}
"""Every setting but the keys of single actions, which are called ``keys.<action>``."""


class Setting(NamedTuple):
    """A setting: its value as people write it, and where that comes from."""

    name: str
    value: Value
    source: str


@dataclass(frozen=True, slots=True)
class Config:
    """The settings in force.

    ``gap_threshold`` is in ns, ``cache_budget`` in bytes, None without a limit.
    ``keymap`` has the keys that differ from those of the actions, for
    ``App.set_keymap``. ``settings`` says where every value comes from.
    """

    mouse: bool
    glyphs: Glyphs
    color: Color
    theme: Theme
    gap_threshold: int
    restore: bool
    low_bandwidth: bool | Literal["auto"]
    cache_budget: int | Literal["auto"] | None
    keymap: dict[str, str]
    settings: tuple[Setting, ...]


def config_path(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the file of settings, which need not be there; None without a home.

    ``$NPUVIEW_CONFIG``, else ``config.toml`` in ``$XDG_CONFIG_HOME/npuview`` or
    ``~/.config/npuview``.
    """
    if named := environ.get("NPUVIEW_CONFIG"):
        return Path(named)
    if folder := environ.get("XDG_CONFIG_HOME"):
        return Path(folder) / "npuview" / "config.toml"
    try:
        return Path.home() / ".config" / "npuview" / "config.toml"
    except RuntimeError:
        return None


def load_config(
    options: Mapping[str, Value] | None = None, environ: Mapping[str, str] = os.environ
) -> Config:
    """Gather the settings; ``options`` are those that the command line names.

    Raises UsageError naming the file with its line, or the variable, for TOML that
    cannot be read, an unknown name and a value that a setting cannot have.
    """
    found = {name: Setting(name, one.default, DEFAULT) for name, one in DEFINITIONS.items()}
    path = config_path(environ)
    of_file = read_config_file(path) if path is not None else []
    of_command = (Entry(name, value, COMMAND_LINE) for name, value in (options or {}).items())
    for entry in (*of_file, *_of_environment(environ), *of_command):
        found[entry.name] = _checked(entry)
    return Config(
        mouse=found["mouse"].value is True,
        glyphs=cast("Glyphs", found["glyphs"].value),
        color=cast("Color", found["color"].value),
        theme=cast("Theme", found["theme"].value),
        gap_threshold=parse_length(str(found["gap_threshold"].value)),
        restore=found["restore"].value is True,
        low_bandwidth=cast("bool | Literal['auto']", found["low_bandwidth"].value),
        cache_budget=read_budget(str(found["cache_budget"].value)),
        keymap=_keymap(found),
        settings=tuple(found.values()),
    )


def variable_of(name: str) -> str:
    """Return the variable of the environment that gives a setting."""
    return f"NPUVIEW_{name.upper().replace('.', '_')}"


def _of_environment(environ: Mapping[str, str]) -> Iterator[Entry]:
    for name, definition in DEFINITIONS.items():
        text = environ.get(variable_of(name))
        if text:
            word = _WORDS.get(text.lower())
            value = word if word is not None and word in definition.choices else text
            yield Entry(name, value, f"${variable_of(name)}")


def _checked(entry: Entry) -> Setting:
    """Return a value as the setting has it; raise UsageError for an unknown name or value."""
    try:
        return Setting(entry.name, _value(entry.name, entry.value), entry.source)
    except UsageError as error:
        raise UsageError(f"{entry.source}: {entry.name}: {error}") from error


def _value(name: str, value: object) -> Value:
    definition = DEFINITIONS.get(name)
    if definition is None:
        return _keys(name, value)
    # Who writes 256 colours writes a number.
    given = str(value) if type(value) is int else value
    for choice in definition.choices:
        if type(given) is type(choice) and given == choice:
            return choice
    if definition.choices or not isinstance(given, str):
        raise UsageError(_wanted(value, definition))
    definition.read(given)
    return given


def _keys(name: str, value: object) -> str:
    action = name.removeprefix(KEYS)
    known = {KEYS + one.id for one in ACTIONS}
    if name not in known:
        near = get_close_matches(name, (*DEFINITIONS, *known), n=1)
        hint = f"did you mean {near[0]}?" if near else "npuview config show lists those there are"
        raise UsageError(f"no such setting; {hint}")
    if not isinstance(value, str):
        raise UsageError(f'{value!r} are no keys; write them in quotes, such as "w,plus"')
    return checked_keys(action, value)


def _wanted(value: object, definition: Definition) -> str:
    written = str(value).lower() if isinstance(value, bool) else repr(value)
    if not definition.choices:
        return f"{written} is no text; write {definition.wanted}"
    words = [
        str(one).lower() if isinstance(one, bool) else f'"{one}"' for one in definition.choices
    ]
    near = get_close_matches(str(value), list(map(str, definition.choices)), n=1)
    hint = f"; did you mean {near[0]}?" if near else ""
    return f"{written} is none of {', '.join(words)}{hint}"


def _keymap(found: Mapping[str, Setting]) -> dict[str, str]:
    """Return the keys that were chosen; raise UsageError for two actions on one key."""
    chosen = {
        name.removeprefix(KEYS): str(setting.value)
        for name, setting in found.items()
        if name not in DEFINITIONS
    }
    try:
        return remapped(chosen, PRESETS[str(found[PRESET].value)])
    except KeyClash as clash:
        names = [KEYS + action for action in clash.actions]
        source = next((found[name].source for name in names if name in found), found[PRESET].source)
        raise UsageError(f"{source}: {clash}") from clash
