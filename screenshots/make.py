"""Make the pictures of the README from the made-up profile.

``python screenshots/make.py`` writes them; with ``--check`` it writes nothing and
exits with 1 when one is not what the program shows today.
"""

import fcntl
import os
import pty
import struct
import sys
import tempfile
import termios
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from npuview.ingest.sample import write_sample

FOLDER = Path(__file__).parent
COLUMNS, LINES = 100, 60

# Rich's own frame loads its font from the network; a reader's own will do.
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: "Fira Code", "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def screen(arguments: list[str]) -> str:
    """Run npuview in a terminal of its own; return what it writes, with its colours."""
    program = Path(sys.executable).with_name("npuview")
    child, terminal = pty.fork()
    if child == 0:
        environment = {**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1"}
        environment.pop("NO_COLOR", None)
        os.execve(program, ["npuview", *arguments], environment)  # noqa: S606 # our own program
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    written = bytearray()
    while True:
        try:
            chunk = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not chunk:
            break
        written += chunk
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    if status:
        raise SystemExit(f"npuview {' '.join(arguments)} failed:\n{written.decode()}")
    # A progress line is drawn over with a carriage return: only its last state is seen.
    lines = written.decode().replace("\r\n", "\n").split("\n")
    return "\n".join(line.rsplit("\r", 1)[-1] for line in lines)


def picture(text: str, title: str) -> str:
    """Return text with terminal colours as SVG."""
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text.rstrip("\n")), soft_wrap=True)
    return console.export_svg(title=title, code_format=FRAME, unique_id="npuview")


def pictures() -> dict[str, str]:
    """Return every picture by its file name."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NPUVIEW_CACHE_DIR"] = str(Path(folder) / "cache")
        profile = write_sample(Path(folder) / "prof_data", "host_bound")
        text = screen(["overview", "--allow-damaged", str(profile)])
    kept = [line for line in text.splitlines() if not line.startswith("npuview:")]
    return {"overview.svg": picture("\n".join(kept), "npuview overview ./prof_data")}


def main(arguments: list[str]) -> int:
    """Write the pictures, or only compare them; return the exit status."""
    stale = [
        name
        for name, content in pictures().items()
        if not (FOLDER / name).exists() or (FOLDER / name).read_text("utf-8") != content
    ]
    if "--check" in arguments:
        for name in stale:
            sys.stderr.write(f"screenshots/{name} is stale: run python screenshots/make.py\n")
        return 1 if stale else 0
    for name, content in pictures().items():
        (FOLDER / name).write_text(content, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
