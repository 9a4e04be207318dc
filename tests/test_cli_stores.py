"""The commands that make, list, verify and remove stores, and being stopped at it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from build import torch_profile
from command_line import Run, damaged_profile, runner


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Run:
    monkeypatch.setenv("NPUVIEW_CACHE_DIR", str(tmp_path / "cache"))
    return runner(capfdbinary)


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    return damaged_profile(tmp_path)


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
def own_cache(tmp_path: Path, damaged: Path, run: Run) -> Path:
    cache = tmp_path / "own"
    assert run("ingest", damaged, "--cache-dir", cache, "--allow-damaged").status == 0
    return cache


def test_cache_lists_stores_and_their_profiles(run: Run, own_cache: Path, damaged: Path) -> None:
    [row] = json.loads(run("cache", "list", "--cache-dir", own_cache, "--format", "json").out)
    assert (row["state"], row["ranks"], row["source"]) == ("ready", 1, str(damaged))
    assert row["bytes"] > 0


def test_cache_verify_finds_a_changed_byte(run: Run, own_cache: Path) -> None:
    assert run("cache", "verify", "--cache-dir", own_cache).status == 0
    [file] = own_cache.glob("*/rank=0/slice.parquet")
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


def test_ctrl_c_while_reading_is_130_and_leaves_no_store(tmp_path: Path) -> None:
    profile = torch_profile(tmp_path, rank=0)
    for at in range(60_000):
        profile.trace.kernel("Add", ts=at * 1_000, dur=500, stream=2)
    path = profile.write()
    cache = tmp_path / "cache"
    code = "import sys; from npuview.tui.cli import main; sys.exit(main())"
    with subprocess.Popen(
        [sys.executable, "-c", code, "steps", str(path), "--cache-dir", str(cache)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
        text=True,
    ) as child:
        deadline = time.monotonic() + 20
        while not list(cache.glob("*/.rank=0.*/*")) and time.monotonic() < deadline:
            time.sleep(0.002)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=30)
    assert (child.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "npuview: interrupted"
    assert list(cache.glob("*/*rank=0*")) == []
