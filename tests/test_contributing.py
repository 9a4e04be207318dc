"""The worked example of CONTRIBUTING.md: one .sql file, one row type, one test."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
FENCED = re.compile(r"^`(?P<file>[\w./]+)`\n\n```\w+\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_example_of_a_new_question_works_as_written(tmp_path: Path) -> None:
    text = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
    written = {match["file"]: match["code"] for match in FENCED.finditer(text)}
    assert list(written) == [
        "queries/sql/stream_time.sql",
        "queries/rows.py",
        "tests/test_queries_streams.py",
    ]
    package = tmp_path / "npuview"
    for folder in ("ingest", "queries", "tui"):
        shutil.copytree(
            PROJECT / folder, package / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    tests = tmp_path / "tests"
    tests.mkdir()
    shutil.copy(PROJECT / "tests" / "store_build.py", tests)
    (package / "queries/sql/stream_time.sql").write_text(written["queries/sql/stream_time.sql"])
    with (package / "queries/rows.py").open("a") as rows:
        rows.write("\n\n" + written["queries/rows.py"])
    test = tests / "test_queries_streams.py"
    test.write_text(written["tests/test_queries_streams.py"])
    program = (
        "import pytest, sys, npuview.queries.rows as rows;"
        "assert rows.__file__.startswith(sys.argv[2]), rows.__file__;"
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', '--rootdir', sys.argv[2],"
        " sys.argv[1]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(test), str(tmp_path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
