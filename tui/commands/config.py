"""``npuview config``: the settings in force, where their file lies, and every key."""

import click

from ...ingest.errors import NpuviewError
from ...queries.query import AnswerColumn
from ..keyboard.actions import ACTIONS
from ..keyboard.key_names import readable
from ..text.columns import Answer
from ..text.destination import Destination
from ..text.narration import note
from ..text.output import write_answer, write_text
from ..user.config import Value, config_path, load_config
from .options import destination_options

SETTING_COLUMNS = (
    AnswerColumn("setting", "VARCHAR"),
    AnswerColumn("value", "VARCHAR"),
    AnswerColumn("source", "VARCHAR"),
)
KEY_COLUMNS = (
    AnswerColumn("action", "VARCHAR"),
    AnswerColumn("keys", "VARCHAR"),
    AnswerColumn("about", "VARCHAR"),
)


@click.group("config")
def config_command() -> None:
    """Show the settings, the file they stand in, or the keys.

    Settings come from the command line, else from NPUVIEW_<NAME>, else from
    $XDG_CONFIG_HOME/npuview/config.toml ($NPUVIEW_CONFIG names another file).
    """


@config_command.command("show")
@destination_options
def show_command(destination: Destination) -> int:
    """List every setting, its value and where that comes from."""
    rows = [(one.name, _written(one.value), one.source) for one in load_config().settings]
    write_answer(Answer(SETTING_COLUMNS, rows), destination)
    return 0


@config_command.command("path")
def path_command() -> int:
    """Print the path of the file of settings, whether or not it is there."""
    path = config_path()
    if path is None:
        raise NpuviewError("no home directory for the settings; name a file in $NPUVIEW_CONFIG")
    write_text(f"{path}\n", Destination())
    if not path.exists():
        note("there is no such file; the defaults are in force")
    return 0


@config_command.command("keys")
@destination_options
def keys_command(destination: Destination) -> int:
    """List every action with its keys, as the settings have them.

    [keys] in the file of settings gives an action other keys:
    "timeline.zoom_in" = "w,plus"; preset = "azerty" is for French keyboards.
    """
    keymap = load_config().keymap
    rows = [
        (
            action.id,
            "  ".join(map(readable, keymap.get(action.id, action.keys).split(","))),
            action.about,
        )
        for action in ACTIONS
    ]
    write_answer(Answer(KEY_COLUMNS, rows), destination)
    return 0


def _written(value: Value) -> str:
    """Return a value as the file of settings has it, without quotes."""
    return str(value).lower() if isinstance(value, bool) else value
