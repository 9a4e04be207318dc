"""Work that gives way to others."""

import os
import threading
import time

import pytest

from npuview.ingest.gentle import NICENESS, gently


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_the_work_and_the_threads_it_begins_give_way_but_who_asked_does_not() -> None:
    before = niceness()
    found: list[int] = []

    def work() -> str:
        thread = threading.Thread(target=lambda: found.append(niceness()))
        thread.start()
        thread.join()
        found.append(niceness())
        return "done"

    assert gently(work, threading.Event()) == "done"
    assert found == [max(before, NICENESS)] * 2
    assert niceness() == before


def test_what_the_work_raises_reaches_who_asked() -> None:
    with pytest.raises(ZeroDivisionError):
        gently(lambda: 1 // 0, threading.Event())


def test_an_interrupt_of_the_one_who_waits_stops_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()
    seen: list[bool] = []

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    def work() -> None:
        seen.append(stop.wait(20))

    monkeypatch.setattr("npuview.ingest.gentle.wait", interrupt)
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        gently(work, stop)
    assert seen == [True]
    assert time.monotonic() - begun < 20
