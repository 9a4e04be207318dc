"""Two runs to be compared: small stores, and made-up jobs run twice."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from made_up import MadeUp
from store_build import StoreBuilder

from npuview.ingest.store import Store
from npuview.queries import rows_compare
from npuview.queries.pair import PairSession, pair_queries

MS = 1_000_000

Made = Callable[..., Store]
"""Gives the store of a scenario, of another run of it with a seed; each is made once."""


def pair_row_type(question: str) -> type[Any]:
    """Return the NamedTuple of a question of two stores: ``figures`` has PairFiguresRow."""
    found: type[Any] = getattr(rows_compare, f"Pair{question.capitalize()}Row")
    return found


def ask_pair(base: Store, test: Store, question: str, **params: object) -> list[Any]:
    """Return the rows of a question of two stores."""
    with PairSession(base, test, threads=1) as session:
        return session.run(pair_queries()[question], params).as_(pair_row_type(question))


def stepped(
    folder: Path,
    states: Mapping[str, Iterable[int]],
    *,
    ranks: Iterable[int] = (0,),
    warm: Iterable[int] = (),
) -> Store:
    """Write a store whose steps 1, 2, … spend these ms in each state, on every rank alike."""
    built = StoreBuilder(folder)
    spent = {state: [ms * MS for ms in times] for state, times in states.items()}
    for rank in ranks:
        built.rank(rank).add(
            "profile", rank_known=True, producer="torch_npu", versions="{}", switches="{}",
            name="run", path="run", clock="boot",
        )  # fmt: skip
        ts = 0
        for at, times in enumerate(zip(*spent.values(), strict=True)):
            built.add(
                "step", step=at + 1, source="profiler_step", kind="train", inferred=False,
                warmup=at + 1 in set(warm), ts=ts, dur=sum(times),
            )  # fmt: skip
            ts += sum(times)
            for state, dur in zip(spent, times, strict=True):
                built.add("ledger", device_id=rank, step=at + 1, state=state, dur=dur)
    store = built.build()
    store.close()
    # A run card is known by the name of its store.
    return Store.open(store.path.rename(folder / folder.name))


def maker(made_up: MadeUp) -> Made:
    """Return what gives stores of scenarios, each opened once."""

    @cache
    def made(scenario: str, seed: int | None = None) -> Store:
        return made_up(scenario, seed).store

    return made
