"""Ingest on a disk that fails: the old store or the new one, a clear word, and nothing left."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
EVERY = 10**6
"""More calls than there are."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile what makes calls of the C library fail, of DuckDB and Arrow as well."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    library = tmp_path_factory.mktemp("faults") / "faulty_calls.so"
    source = TESTS / "faulty_calls.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.mark.parametrize("most", [5, pytest.param(EVERY, marks=pytest.mark.slow)])
def test_whichever_call_fails_the_old_store_or_the_new_one_is_there(
    tmp_path: Path, library: Path, most: int
) -> None:
    ran = subprocess.run(
        [sys.executable, str(TESTS / "faulty_ingest.py"), str(tmp_path), str(most)],
        env=os.environ | {"LD_PRELOAD": str(library), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    said = json.loads(ran.stdout)
    print(f"{said['runs']} runs, {said['refused']} refused, {said['calls']} calls each")  # noqa: T201 # figures, seen with -s
    assert said["refused"] > said["runs"] // 3
    assert said["wrong"] == []
    assert list(tmp_path.glob("npuview-*")) == list((tmp_path / "passing").iterdir()) == []
