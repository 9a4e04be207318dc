"""Runs the command line in the process of a test, and makes the profile it reads."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from build import torch_profile

from npuview.tui.cli import main


class Ran(NamedTuple):
    """How a command ended and what it wrote."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


Run = Callable[..., Ran]


def runner(capture: pytest.CaptureFixture[bytes]) -> Run:
    """Return a function that runs the command line with some words."""

    def run(*words: object) -> Ran:
        status = main([str(word) for word in words])
        captured = capture.readouterr()
        return Ran(status, captured.out.decode(), captured.err.decode())

    return run


def damaged_profile(folder: Path) -> Path:
    """Write a profile of one kernel and one step, of which an event is lost."""
    profile = torch_profile(folder, rank=0)
    profile.trace.kernel("Add", ts=1_000, dur=500, stream=2)
    profile.trace.step(1, ts=0, dur=10_000)
    profile.trace.raw('{"ph":"X","name":"no time","pid":1,"tid":1}')
    return profile.write()
