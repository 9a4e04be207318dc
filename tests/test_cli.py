"""What the words of the command line mean, and how it ends; nothing here reads a profile."""

import errno
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from npuview.ingest.compiled import has_scanner
from npuview.ingest.errors import IngestError, Interrupted, NpuviewError, UsageError
from npuview.tui import cli

Capture = pytest.CaptureFixture[str]

RUN = "import sys; from npuview.tui.cli import main; sys.exit(main())"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, dict[str, object]]]:
    """Replace every command by one that records its name and parameters."""
    calls: list[tuple[str, dict[str, object]]] = []
    real = cli.load

    def load(name: str) -> click.Command:
        command = real(name)

        def record(**params: object) -> int:
            calls.append((name, params))
            return 0

        return click.Command(name, params=command.params, callback=record)

    monkeypatch.setattr(cli, "load", load)
    return calls


def command_that(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Make ``npuview schema`` do something else."""

    def load(name: str) -> click.Command:
        return click.Command(name, callback=act)

    monkeypatch.setattr(cli, "load", load)


def raises(error: BaseException) -> Callable[[], object]:
    def act() -> object:
        raise error

    return act


def test_the_version_names_what_a_report_needs(capsys: Capture) -> None:
    assert cli.main(["--version"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("npuview ")
    assert all(name in out for name in ("Python", "duckdb", "pyarrow", "textual"))


def test_the_version_tells_which_reader_is_in_use(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NPUVIEW_C", "off")
    assert cli.main(["--version"]) == 0
    assert "(reader in Python, " in capsys.readouterr().out
    monkeypatch.delenv("NPUVIEW_C")
    if not has_scanner():
        pytest.skip("the scanner was not built")
    assert cli.main(["--version"]) == 0
    assert "(scanner in C, " in capsys.readouterr().out


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_version_and_help_import_no_engine_and_no_screen(argument: str) -> None:
    heavy = ("textual", "duckdb", "pyarrow", "orjson")
    code = (
        "import sys; from npuview.tui.cli import main;"
        f"assert main([{argument!r}]) == 0;"
        f"print([name for name in {heavy} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_every_command_of_the_list_exists_and_has_a_help(capsys: Capture) -> None:
    for name in cli.COMMANDS:
        assert cli.main([name, "--help"]) == 0
        assert f"Usage: npuview {name}" in capsys.readouterr().out


def test_help_lists_every_command(capsys: Capture) -> None:
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {name} " in out for name in cli.COMMANDS)
    assert "\n  open" not in out


def test_no_words_at_all_show_the_help_and_are_wrong_usage(capsys: Capture) -> None:
    assert cli.main([]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Commands:\n" in captured.err


def test_a_path_needs_no_command(
    tmp_path: Path, opened: list[tuple[str, dict[str, object]]]
) -> None:
    assert cli.main([str(tmp_path)]) == 0
    [(name, params)] = opened
    assert (name, params["path"]) == ("open", tmp_path)


def test_options_stand_before_or_behind_a_path(
    tmp_path: Path, opened: list[tuple[str, dict[str, object]]]
) -> None:
    assert cli.main(["--rank", "3", "--ascii", str(tmp_path)]) == 0
    assert cli.main([str(tmp_path), "--ascii", "--rank", "3"]) == 0
    assert opened[0] == opened[1]
    assert opened[0][1]["rank"] == 3


def test_a_command_wins_over_a_folder_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[tuple[str, dict[str, object]]]
) -> None:
    (tmp_path / "demo").mkdir()
    monkeypatch.chdir(tmp_path)
    assert cli.main(["demo"]) == 0
    assert cli.main(["./demo"]) == 0
    assert cli.main(["--", "demo"]) == 0
    assert [name for name, _ in opened] == ["demo", "open", "open"]


def test_options_before_a_command_belong_to_it(
    tmp_path: Path, opened: list[tuple[str, dict[str, object]]]
) -> None:
    assert cli.main(["--rank", "3", "top", str(tmp_path), "--limit", "5"]) == 0
    [(name, params)] = opened
    assert name == "top"
    assert (params["rank"], params["limit"]) == (3, 5)


def test_a_path_may_begin_with_a_dash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[tuple[str, dict[str, object]]]
) -> None:
    (tmp_path / "-weird").mkdir()
    monkeypatch.chdir(tmp_path)
    assert cli.main(["--", "-weird"]) == 0
    assert opened[0][1]["path"] == Path("-weird")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["tpo"], "did you mean top?"),
        (["exprot", "x", "y"], "did you mean export?"),
        (["--ascii", "legder"], "did you mean ledger?"),
        (["nothing_like_it"], "neither a command nor a file"),
    ],
)
def test_a_word_that_is_neither_gets_what_was_probably_meant(
    arguments: list[str], hint: str, capsys: Capture
) -> None:
    assert cli.main(arguments) == 2
    assert hint in capsys.readouterr().err


def test_a_mistyped_path_gets_the_name_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "prof_data").mkdir()
    monkeypatch.chdir(tmp_path)
    assert cli.main(["prof_dta"]) == 2
    assert "did you mean prof_data?" in capsys.readouterr().err


@pytest.mark.parametrize("command", [[], ["info"], ["top"], ["sql"], ["export"], ["ingest"]])
def test_two_paths_get_the_folder_that_holds_both(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    for rank in ("run/rank0", "run/rank1"):
        (tmp_path / rank).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    output = ["-o", "x.json"] if command == ["export"] else []
    assert cli.main([*command, "run/rank0", "run/rank1", *output]) == 2
    assert "one PATH at a time: open the folder that holds them, run\n" in capsys.readouterr().err
    absolute = [str(tmp_path / rank) for rank in ("run/rank0", "run/rank1")]
    assert cli.main([*command, *absolute, *output]) == 2
    assert f"that holds them, {tmp_path / 'run'}\n" in capsys.readouterr().err


def test_two_paths_with_nothing_in_common_are_not_answered_with_the_whole_disk(
    tmp_path: Path, capsys: Capture
) -> None:
    assert cli.main(["info", str(tmp_path), "/dev"]) == 2
    assert "move them into one folder" in capsys.readouterr().err


def test_a_word_too_many_is_named(tmp_path: Path, capsys: Capture) -> None:
    assert cli.main(["info", str(tmp_path), "oops"]) == 2
    assert "one word too many: oops" in capsys.readouterr().err


def test_usage_shows_which_words_may_be_left_out(capsys: Capture) -> None:
    for words, usage in {
        ("cache", "clear"): "[OPTIONS] [PATH]",
        ("cache", "verify"): "[OPTIONS] [PATH]",
        ("info",): "[OPTIONS] PATH",
        ("sql",): "[OPTIONS] PATH [SELECT…]",
    }.items():
        assert cli.main([*words, "--help"]) == 0
        assert capsys.readouterr().out.startswith(f"Usage: npuview {' '.join(words)} {usage}\n")


def test_no_line_about_a_command_is_cut(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for words in ([], ["cache"]):
        assert cli.main([*words, "--help"]) == 0
        assert "...\n" not in capsys.readouterr().out.partition("Commands:")[2]


def test_commands_of_later_versions_are_unknown_words(capsys: Capture) -> None:
    assert cli.main(["serve", "x"]) == 2
    assert "neither a command" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (NpuviewError("what happened"), 1),
        (IngestError("what happened"), 1),
        (UsageError("what happened"), 2),
        (Interrupted("what happened"), 130),
    ],
)
def test_an_error_is_one_message_on_standard_error_and_a_status(
    error: Exception, status: int, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    command_that(monkeypatch, raises(error))
    assert cli.main(["schema"]) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "npuview: what happened\n"


def test_the_status_of_a_command_is_that_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    command_that(monkeypatch, lambda: 3)
    assert cli.main(["schema"]) == 3


def test_ctrl_c_is_130(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    command_that(monkeypatch, raises(KeyboardInterrupt()))
    assert cli.main(["schema"]) == 130
    assert capsys.readouterr().err == "npuview: interrupted\n"


def test_error_text_cannot_steer_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    command_that(monkeypatch, raises(NpuviewError("bad\udcff\x1b[31m.json\nnpuview: all is well")))
    assert cli.main(["schema"]) == 1
    assert capsys.readouterr().err == ("npuview: bad⟨U+DCFF⟩␛[31m.json\n  npuview: all is well\n")


def test_typed_words_are_cleaned_in_messages(capsys: Capture) -> None:
    assert cli.main(["\x1b]0;title\x07"]) == 2
    assert "␛]0;title␇" in capsys.readouterr().err


def test_an_unexpected_error_is_one_line_and_a_private_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    command_that(monkeypatch, raises(RuntimeError("odd\x1b[31m")))
    assert cli.main(["schema"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    [report] = (tmp_path / "npuview").iterdir()
    assert line == f"npuview: internal error (RuntimeError: odd␛[31m); the report is in {report}"
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    text = report.read_text()
    assert "Traceback" in text
    assert "\x1b" not in text


def test_an_unexpected_error_is_said_even_if_no_report_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (tmp_path / "npuview").write_text("no directory")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    command_that(monkeypatch, raises(RuntimeError("odd")))
    assert cli.main(["schema"]) == 1
    assert "the report could not be saved" in capsys.readouterr().err


def test_a_reader_that_went_away_ends_npuview_as_it_ends_grep() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-c", RUN, "schema"],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


def test_a_full_disk_is_an_error_and_no_crash() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", RUN, "schema"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == (
        f"npuview: standard output: cannot be written: {os.strerror(errno.ENOSPC)}\n"
    )


def test_the_shell_can_complete_commands(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("_NPUVIEW_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "npuview le")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert cli.main([]) == 0
    assert "ledger" in capsys.readouterr().out
