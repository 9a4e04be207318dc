"""Builds programs that run beside a test, and end with it whatever it finds."""

import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager


@contextmanager
def child(
    code: str,
    words: Sequence[str],
    *,
    stdout: int = subprocess.DEVNULL,
    stderr: int = subprocess.DEVNULL,
    env: Mapping[str, str] | None = None,
) -> Generator[subprocess.Popen[str]]:
    """Run Python code; one that is still running at the end, as after a failure, is killed."""
    with subprocess.Popen(
        [sys.executable, "-c", code, *words], stdout=stdout, stderr=stderr, env=env, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()
