"""What every test may ask for: a place for stores, a profile's tables, the command line."""

import os
import shutil
import signal
from collections.abc import Callable, Iterator
from functools import cache as once
from pathlib import Path
from typing import Any

import duckdb
import pytest
import textual.app
import textual.pilot
from command_line import Run, runner
from concluded import Conclude, Concluded
from idle import until_idle
from made_up import MadeUp

from npuview.ingest.pipeline import Opened, open_store
from npuview.queries.session import Session
from npuview.tui.widgets import status_row
from npuview.tui.words.spoken import speak

# Findings are told in the language of the locale; tests read English.
os.environ.pop("LC_ALL", None)
os.environ["LC_MESSAGES"] = "C"

# Below nohup, or behind a shell's &, programs that tests start would not hear these either.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

ALLOWED_SKIPS = ("the real profiles are not here",)
"""Reasons for which a test may be skipped in CI: what no machine can be made to have."""

_skipped: list[str] = []


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes the snapshots."""
    parser.addoption(
        "--update-snapshots",
        action="store_true",
        help="write tests/snapshots as the app looks now, instead of comparing",
    )


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember skipped tests with their reasons."""
    if report.skipped and isinstance(report.longrepr, tuple):
        _skipped.append(f"{report.nodeid}: {report.longrepr[2]}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let CI fail when a test that must run was skipped."""
    unexpected = [one for one in _skipped if not one.endswith(ALLOWED_SKIPS)]
    if os.environ.get("CI") and unexpected:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print("\nskipped in CI, where it must run:", *unexpected, sep="\n  ")  # noqa: T201 # said by the runner


class Ingested:
    """A profile's store; ``rows`` asks the index of its first rank."""

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self.store = opened.store

    def rows(self, sql: str, rank: int = 0) -> list[Any]:
        with duckdb.connect(str(self.store.ranks[rank].index), read_only=True) as connection:
            return connection.execute(sql).fetchall()

    def one(self, sql: str, rank: int = 0) -> Any:  # noqa: ANN401 # a value of any column
        [row] = self.rows(sql, rank)
        return row[0] if len(row) == 1 else row

    def noticed(self, rank: int = 0) -> dict[str, int]:
        """Return the counts of import_stat by name."""
        return dict(self.rows("SELECT name, sum(count)::BIGINT FROM import_stat GROUP BY 1", rank))


@pytest.fixture(autouse=True)
def spoken_english() -> None:
    """Let no test hear the language of the one before."""
    speak("en")


@pytest.fixture(autouse=True, scope="session")
def idle_by_condition() -> Iterator[None]:
    """Let no test of an app depend on how busy the machine is, or sleep."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (textual.app, textual.pilot):
            patch.setattr(module, "wait_for_idle", until_idle)
        # On a busy machine a message would be gone before it is looked at.
        patch.setattr(status_row, "MESSAGE_SECONDS", 3_600.0)
        yield


Ingest = Callable[..., Ingested]


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def ingest(cache: Path) -> Ingest:
    """Return a function that ingests a path into a store of the test's own."""

    def run(path: Path, *, force: bool = False) -> Ingested:
        return Ingested(open_store(path, cache_dir=cache, force=force))

    return run


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this run have in common."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def real(shared_folder: Path) -> Ingest:
    """Return a function that ingests a real profile, each once; tests only read its store."""

    @once
    def run(path: Path) -> Ingested:
        return Ingested(open_store(path, cache_dir=shared_folder / "real"))

    return run


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Return the folder of real profiles, or skip the test."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the real profiles are not here")
    return folder


@pytest.fixture(scope="session")
def made_up(shared_folder: Path) -> MadeUp:
    """Return what gives a made-up profile and its store, which tests only read."""
    return MadeUp(shared_folder / "made-up")


@pytest.fixture(scope="session")
def conclude(made_up: MadeUp) -> Conclude:
    """Return what opens a made-up job, each only once."""

    @once
    def concluded(name: str) -> Concluded:
        return Concluded(name, made_up(name).store)

    return concluded


@pytest.fixture(scope="session")
def places(made_up: MadeUp) -> Path:
    """Return a folder with the sample and its store, which tests only read."""
    return made_up().folder


@pytest.fixture(scope="session")
def sample(made_up: MadeUp) -> Path:
    return made_up().profile


@pytest.fixture
def run(
    places: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> Run:
    """Return a function that runs the command line in this process, with stores of its own.

    That of the sample is there.
    """
    # What is read is not written, so that links are copies.
    shutil.copytree(places / "cache", tmp_path / "stores", copy_function=os.link)
    monkeypatch.setenv("NPUVIEW_CACHE_DIR", str(tmp_path / "stores"))
    for name in ("config", "data", "state"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))
    monkeypatch.delenv("NPUVIEW_BASELINE_DIR", raising=False)
    return runner(capfdbinary)


@pytest.fixture
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a test a directory to write into and one for what is kept."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.delenv("STY", raising=False)
    return here


@pytest.fixture
def session(sample: Path, places: Path) -> Iterator[Session]:
    with Session(open_store(sample, cache_dir=places / "cache").store) as opened:
        yield opened
