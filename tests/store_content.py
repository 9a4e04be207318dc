"""Everything that a store answers, as one value: two stores are the same or they are not."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from build import torch_profile

from npuview.ingest.schema import SLICE_ARG
from npuview.ingest.store import Store
from npuview.ingest.table import quoted
from npuview.queries.session import Session

NAMES = 7


def job_of_two(folder: Path, kernels: int = 40) -> Path:
    """Write a job of two ranks, or again rank 1 of it, which has so many kernels."""
    for rank, count in ((0, 40), (1, kernels)):
        profile = torch_profile(folder, rank=rank)
        if rank == 0 and profile.path.exists():
            continue
        profile.trace.step(1, 0, 100_000)
        for number in range(count):
            profile.trace.kernel(f"kernel {number % NAMES}", 100 * number, 50, task_id=number)
        profile.write()
    return folder


def content(store: Store) -> dict[str, str]:
    """Return a hash of the rows of each table, in the order in which they are answered."""
    with Session(store, threads=1) as session:
        return content_of(session, {*session.tables, SLICE_ARG.name})


def content_of(session: Session, tables: Iterable[str]) -> dict[str, str]:
    """Return the same of some tables of a store that is open."""
    found: dict[str, str] = {}
    for table in sorted(tables):
        digest = hashlib.blake2b(digest_size=16)
        for row in session.sql(f"FROM {quoted(table)}").rows:
            digest.update(repr(row).encode())
        found[table] = digest.hexdigest()
    return found


def leftovers(cache: Path) -> list[str]:
    """Return what lies in a place for stores beside one generation of each rank."""
    unfinished = [path.name for path in cache.rglob(".*")]
    ranks = [path.name for path in cache.glob("*/*/rank=*")]
    return unfinished + [name for name in set(ranks) if ranks.count(name) > 1]
