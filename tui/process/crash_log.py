"""The report of an unexpected error, kept in a file and off the terminal."""

import os
import platform
import tempfile
import traceback
from pathlib import Path

from ..draw.safe_text import clean


def state_directory() -> Path:
    """Return where npuview keeps what is neither a setting nor a cache."""
    if named := os.environ.get("XDG_STATE_HOME"):
        return Path(named) / "npuview"
    return Path.home() / ".local" / "state" / "npuview"


def write_crash(error: BaseException) -> Path | None:
    """Write an exception with its calls to a private file; None if that fails too.

    The lines are cleaned: a message may quote a name from the trace, and the file
    will be looked at in a terminal.
    """
    # It takes long to import, and is needed when all else went wrong.
    from importlib.metadata import version  # noqa: PLC0415 see above

    report = [
        f"npuview {version('npuview')}, Python {platform.python_version()}, {platform.platform()}",
        *"".join(traceback.format_exception(error)).splitlines(),
    ]
    try:
        directory = state_directory()
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        # mkstemp makes the file readable by its owner only.
        handle, name = tempfile.mkstemp(prefix="crash-", suffix=".log", dir=directory)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(f"{clean(line)}\n" for line in report)
    except (OSError, RuntimeError):
        return None
    return Path(name)
