"""The commands that make, list, verify and remove stores, and being stopped at it."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from build import torch_profile
from child import child
from command_line import Run, damaged_profile, runner
from made_up import Place

from npuview.ingest.cache import stores_in
from npuview.ingest.publish import construction
from npuview.ingest.store import Store


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Run:
    monkeypatch.setenv("NPUVIEW_CACHE_DIR", str(tmp_path / "cache"))
    return runner(capfdbinary)


@pytest.fixture(scope="module")
def ingested(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Return a damaged profile and a copy of it, which tests may change, with its store."""
    folder = tmp_path_factory.mktemp("damaged")
    kept = damaged_profile(folder / "kept")
    place = Place(folder, shutil.copytree(kept, folder / kept.name))
    place.store.close()
    return place


@pytest.fixture
def damaged(ingested: Place) -> Path:
    """Return the profile as it was ingested, whatever the test before did to it."""
    shutil.rmtree(ingested.profile, ignore_errors=True)
    return shutil.copytree(next((ingested.folder / "kept").iterdir()), ingested.profile)


def test_ingest_lists_the_ranks_and_reads_nothing_twice(run: Run, damaged: Path) -> None:
    first = run("ingest", damaged, "--format", "json", "--allow-damaged")
    [row] = json.loads(first.out)
    assert row["rank"] == 0
    assert Path(row["store"], "index.duckdb").is_file()
    assert re.search(r"^npuview: .*  read .*trace_view", first.err, re.MULTILINE)
    second = run("ingest", damaged, "--format", "json", "--allow-damaged")
    assert second.out == first.out
    assert "nothing changed" in second.err
    assert "  read " not in second.err
    forced = run("ingest", damaged, "--force", "--allow-damaged")
    assert "  write" in forced.err


@pytest.fixture
def own_cache(tmp_path: Path, ingested: Place) -> Path:
    """Return a place of the test's own with the store of the damaged profile."""
    return shutil.copytree(ingested.cache, tmp_path / "own")


def test_cache_lists_stores_and_their_profiles(run: Run, own_cache: Path, damaged: Path) -> None:
    [row] = listed(run, own_cache)
    assert (row["state"], row["ranks"], row["source"]) == ("ready", 1, str(damaged))
    assert (row["user"], row["profile"]) == (None, "unchanged")
    assert row["bytes"] > 0
    assert datetime.fromisoformat(row["last_used"]).year > 2000


def test_cache_list_tells_changed_profiles_damage_and_who_uses_a_store(
    run: Run, own_cache: Path, damaged: Path
) -> None:
    trace = next(damaged.rglob("trace_view.json"))
    trace.write_bytes(trace.read_bytes() + b"\n")
    [store] = stores_in(own_cache)
    reader = Store.open(store)
    [row] = listed(run, own_cache)
    assert (row["profile"], row["user"]) == ("changed", "in use")
    reader.close()
    with construction(store):
        assert listed(run, own_cache)[0]["user"] == (
            f"PID {os.getpid()} on {os.uname().nodename} builds it"
        )
    shutil.rmtree(damaged)
    assert listed(run, own_cache)[0]["profile"] == "gone"
    (store / "manifest.json").write_text("{}")
    [row] = listed(run, own_cache)
    assert "written in schema version 0" in row["state"]
    (store / "manifest.json").unlink()
    assert listed(run, own_cache)[0]["state"] == "half made"


def listed(run: Run, cache: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(
        run("cache", "list", "--cache-dir", cache, "--format", "json").out
    )
    return rows


def test_a_listing_is_no_use_of_a_store(run: Run, own_cache: Path) -> None:
    [before] = listed(run, own_cache)
    os.utime(next(own_cache.glob("*/in_use.lock")), ns=(0, 0))
    assert run("cache", "verify", "--cache-dir", own_cache).status == 0
    [after] = listed(run, own_cache)
    assert before["last_used"] > after["last_used"] == "1970-01-01T00:00:00Z"


def test_a_store_in_use_is_not_cleared(run: Run, own_cache: Path) -> None:
    [store] = stores_in(own_cache)
    reader = Store.open(store)
    ran = run("cache", "clear", "--cache-dir", own_cache)
    assert (ran.status, ran.err) == (1, f"npuview: not removed: {store}: in use\n")
    reader.close()
    assert run("cache", "clear", "--cache-dir", own_cache).status == 0
    assert list(own_cache.iterdir()) == []


def test_the_store_of_a_profile_that_is_gone_opens_with_a_word(
    run: Run, own_cache: Path, damaged: Path, tmp_path: Path
) -> None:
    damaged.rename(tmp_path / "moved")
    ran = run("top", damaged, "--cache-dir", own_cache, "--format", "csv")
    assert ran.status == 3
    assert "Add" in ran.out
    assert ran.err.startswith(
        f"npuview: source missing: {damaged} is gone; this is what the store holds\n"
    )
    assert run("steps", "--cache-dir", own_cache, damaged).status == 3
    # An empty mount point is none, either.
    damaged.mkdir()
    assert "source missing" in run("steps", damaged, "--cache-dir", own_cache).err
    damaged.rmdir()
    assert run("ingest", damaged, "--cache-dir", own_cache, "--allow-damaged").status == 0
    assert run("cache", "clear", damaged, "--cache-dir", own_cache).status == 0
    assert run("top", damaged, "--cache-dir", own_cache).status == 2
    ran = run(damaged, "--cache-dir", own_cache)
    assert (ran.status, "neither a command nor a file" in ran.err) == (2, True)


def test_the_app_is_asked_for_on_a_profile_that_is_gone(
    run: Run, own_cache: Path, damaged: Path, tmp_path: Path
) -> None:
    damaged.rename(tmp_path / "moved")
    for words in ([damaged, "--cache-dir", own_cache], ["--cache-dir", own_cache, damaged]):
        # Here is no terminal for it, which is the next thing that is looked at.
        assert "neither a command" not in run(*words).err


def test_a_damaged_store_is_made_again_with_a_word(
    run: Run, own_cache: Path, damaged: Path
) -> None:
    right = run("top", damaged, "--cache-dir", own_cache, "--format", "csv").out
    [index] = own_cache.glob("*/*/rank=0/index.duckdb")
    index.write_bytes(index.read_bytes()[:-1])
    ran = run("top", damaged, "--cache-dir", own_cache, "--format", "csv")
    assert re.search(r"store damaged \(.*index\.duckdb: \d+ bytes.*\), building it again", ran.err)
    assert (ran.status, ran.out) == (3, right)


def test_an_index_that_does_not_open_is_made_again_with_a_word(
    run: Run, own_cache: Path, damaged: Path
) -> None:
    right = run("top", damaged, "--cache-dir", own_cache, "--format", "csv").out
    [index] = own_cache.glob("*/*/rank=0/index.duckdb")
    index.write_bytes(bytes(index.stat().st_size))
    ran = run("top", damaged, "--cache-dir", own_cache, "--format", "csv")
    assert "store damaged" in ran.err
    assert (ran.status, ran.out) == (3, right)
    # Where nothing can be read again, that is the end.
    [index] = own_cache.glob("*/*/rank=0/index.duckdb")
    index.write_bytes(bytes(index.stat().st_size))
    shutil.rmtree(damaged)
    ran = run("top", damaged, "--cache-dir", own_cache, "--format", "csv")
    assert (ran.status, ran.out) == (1, "")


def test_the_settings_say_how_much_room_stores_take(
    run: Run, own_cache: Path, damaged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    shutil.copytree(damaged, other)
    monkeypatch.setenv("NPUVIEW_CACHE_BUDGET", "none")
    assert run("ingest", other, "--cache-dir", own_cache, "--allow-damaged").status == 0
    assert len(stores_in(own_cache)) == 2
    monkeypatch.setenv("NPUVIEW_CACHE_BUDGET", "1MB")
    ran = run("ingest", other, "--force", "--cache-dir", own_cache, "--allow-damaged")
    assert "removed the stores not used for longest" in ran.err
    assert len(stores_in(own_cache)) == 1


def test_cache_verify_finds_a_changed_byte(run: Run, own_cache: Path) -> None:
    assert run("cache", "verify", "--cache-dir", own_cache).status == 0
    [file] = own_cache.glob("*/1/rank=0/slice.parquet")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    ran = run("cache", "verify", "--cache-dir", own_cache)
    assert ran.status == 1
    assert "slice.parquet: content differs" in ran.out


def test_cache_clear_removes_stores_and_nothing_else(
    run: Run, own_cache: Path, damaged: Path
) -> None:
    kept = own_cache / "notes-0123456789abcdef"
    kept.mkdir()
    (own_cache / "notes.txt").write_text("mine")
    ran = run("cache", "clear", damaged, "--cache-dir", own_cache)
    assert ran.status == 0
    assert "removed" in ran.err
    assert json.loads(run("cache", "list", "--cache-dir", own_cache, "--format", "json").out) == []
    assert run("cache", "clear", "--cache-dir", own_cache).status == 0
    assert kept.is_dir()
    assert (own_cache / "notes.txt").read_text() == "mine"
    assert run("cache", "clear", damaged, "--cache-dir", own_cache).status == 2


def test_no_directory_outside_of_the_cache_is_cleared(
    run: Run, own_cache: Path, tmp_path: Path
) -> None:
    foreign = tmp_path / "foreign-0123456789abcdef"
    (foreign / "rank=0").mkdir(parents=True)
    (foreign / "manifest.json").write_text('{"npuview_store":1}')
    (foreign / "thesis.txt").write_text("mine")
    ran = run("cache", "clear", foreign, "--cache-dir", own_cache)
    assert ran.status == 2
    assert "does not lie in" in ran.err
    link = own_cache / "link-0123456789abcdef"
    link.symlink_to(foreign)
    assert run("cache", "clear", link, "--cache-dir", own_cache).status == 2
    assert run("cache", "clear", "--cache-dir", own_cache).status == 0
    assert (foreign / "thesis.txt").read_text() == "mine"
    assert (foreign / "manifest.json").is_file()


@pytest.mark.parametrize("place", ["thesis.txt", "rank=0/thesis.txt", "rank=x/a", "old/a"])
def test_a_store_with_other_things_in_it_is_kept_and_the_others_go(
    place: str, run: Run, own_cache: Path
) -> None:
    [store] = (path for path in own_cache.iterdir() if path.is_dir())
    odd = own_cache / "a-0123456789abcdef"
    (odd / "rank=0").mkdir(parents=True)
    (odd / "manifest.json").write_text('{"npuview_store":1}')
    (odd / place).parent.mkdir(exist_ok=True)
    (odd / place).write_text("mine")
    ran = run("cache", "clear", "--cache-dir", own_cache)
    assert ran.status == 1
    assert f"not removed: {odd}: holds {Path(place).parts[-1 if 'rank=0' in place else 0]}" in (
        ran.err
    )
    assert (odd / place).read_text() == "mine"
    assert (odd / "manifest.json").is_file()
    assert not store.exists()


def test_a_store_is_cleared_by_its_own_path_also_half_made(run: Run, own_cache: Path) -> None:
    [store] = (path for path in own_cache.iterdir() if path.is_dir())
    (store / ".rank=0.abc" / "spill").mkdir(parents=True)
    (store / ".manifest.xyz").touch()
    assert run("cache", "clear", store, "--cache-dir", own_cache).status == 0
    assert not store.exists()


@pytest.mark.parametrize("command", ["top", "ingest", "info"])
def test_a_place_for_stores_without_a_name_or_not_utf_8_is_wrong_usage(
    command: str, run: Run, damaged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    assert run(command, damaged, "--cache-dir", "").status == 2
    ran = run(command, damaged, "--cache-dir", "c\udcff")
    assert ran.status == 2
    assert "not UTF-8" in ran.err
    monkeypatch.setenv("NPUVIEW_CACHE_DIR", "c\udcff")
    assert run(command, damaged).status == 2
    assert sorted(tmp_path.iterdir()) == before


def test_ctrl_c_while_reading_is_130_and_leaves_no_store(tmp_path: Path) -> None:
    profile = torch_profile(tmp_path, rank=0)
    for at in range(60_000):
        profile.trace.kernel("Add", ts=at * 1_000, dur=500, stream=2)
    path = profile.write()
    cache = tmp_path / "cache"
    code = "import sys; from npuview.tui.cli import main; sys.exit(main())"
    with child(
        code,
        ["steps", str(path), "--cache-dir", str(cache)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    ) as program:
        deadline = time.monotonic() + 20
        while not list(cache.glob("*/.rank=0.*/*")) and time.monotonic() < deadline:
            time.sleep(0.002)
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=30)
    assert (program.returncode, out) == (130, "")
    # DuckDB may be what hears the key.
    ends = ("npuview: interrupted", "npuview: stopped; nothing was written")
    assert err.splitlines()[-1] in ends
    assert list(cache.glob("*/*rank=0*")) == []
