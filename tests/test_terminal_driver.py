"""What ends the reading of keys."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from npuview.tui.process.terminal_driver import ReadingEnd

ASKED = 20_000
"""Of two threads that shared one poll, one would be refused long before."""


@pytest.fixture
def end() -> Iterator[ReadingEnd]:
    near, far = os.openpty()
    yield ReadingEnd(far)
    os.close(near)
    os.close(far)


def test_the_thread_that_reads_and_the_one_that_ends_it_may_ask_at_once(end: ReadingEnd) -> None:
    def asked(_: int) -> bool:
        return any(end.is_set() for _ in range(ASKED))

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(asked, range(2))) == [False, False]


def test_reading_ends_for_both_once_it_was_told_to(end: ReadingEnd) -> None:
    end.set()
    assert end.is_set()
