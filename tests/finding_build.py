"""Builds the store of a run whose steps take 100 ms each, for tests of findings.

A step is filled from its start by what is added to it, one after the other; what is left
of it is computing, so that the ledger sums to the period. Times are given in ms.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from store_build import StoreBuilder, Value

from npuview.ingest.store import Store
from npuview.queries.findings import Finding, find
from npuview.queries.rules import RuleBook, shipped_rules
from npuview.queries.session import Session

MS = 1_000_000
STEP_MS = 100
STREAM, CANN, PYTHON, PLANE = 1, 2, 3, 4

COMPLETE = {"_gc_detect_threshold": 1}
"""Switches with which nothing that matters here is missing."""


class RunBuilder:
    """The ranks of a run, one after the other; everything added is of the rank named last."""

    def __init__(self, path: Path) -> None:
        self._store = StoreBuilder(path)
        self._rank = -1
        self._ids = 100
        self._spent: dict[tuple[int, int], int] = {}
        self._ledger: dict[tuple[int, int, str], int] = {}

    def rank(
        self,
        rank: int = 0,
        *,
        steps: int = 1,
        warmup: tuple[int, ...] = (),
        switches: Mapping[str, object] = COMPLETE,
        lanes: tuple[str, ...] = ("stream", "cann", "python", "plane"),
        vector_cores: int | None = None,
    ) -> "RunBuilder":
        self._rank = rank
        self._store.rank(rank).add(
            "profile",
            rank_known=True,
            producer="torch_npu",
            device_id=rank,
            level="Level1",
            switches=json.dumps(dict(switches)),
            name=f"rank{rank}",
            vector_cores=vector_cores,
            ts=0,
            dur=steps * STEP_MS * MS,
        )
        for number, kind in enumerate(("stream", "cann", "python", "plane"), 1):
            if kind in lanes:
                self._store.add(
                    "track",
                    track_id=number,
                    kind=kind,
                    device_id=rank if kind in {"stream", "plane"} else None,
                    stream_id=2 if kind == "stream" else None,
                )
        for step in range(1, steps + 1):
            self._spent[rank, step] = 0
            ts = self._begin(step)
            self._store.add(
                "step",
                step=step,
                kind="train",
                ts=ts,
                dur=STEP_MS * MS,
                warmup=step in warmup,
                device_ts=ts,
                device_dur=STEP_MS * MS,
            )
        return self

    @property
    def builder(self) -> StoreBuilder:
        """The store's own builder, for what has no word here."""
        return self._store

    def spend(self, state: str, ms: float, step: int = 1) -> int:
        """Let the device be in a state for a while; return when that begins."""
        key = (self._rank, step)
        ts = self._begin(step) + self._spent[key]
        self._spent[key] += round(ms * MS)
        ledger = (self._rank, step, state)
        self._ledger[ledger] = self._ledger.get(ledger, 0) + round(ms * MS)
        return ts

    def stall(
        self, cause: str, ms: float, *, state: str = "idle", step: int = 1, **more: Value
    ) -> "RunBuilder":
        ts = self.spend(state, ms, step)
        values: dict[str, Value] = {
            "stall_id": self._new(),
            "device_id": self._rank,
            "step": step,
            "state": state,
            "place": "between",
            "ts": ts,
            "dur": round(ms * MS),
            "cause": cause,
            "inferred": False,
        }
        if "evidence_slice_id" not in more:
            values["evidence_slice_id"] = self.slice(f"{cause} call", ms=ms, ts=ts, step=step)
        self._store.add("stall", **(values | more))
        return self

    def slice(
        self,
        name: str,
        *,
        ms: float,
        ts: int = 0,
        step: int | None = 1,
        track: int = CANN,
        **more: Value,
    ) -> int:
        number = self._new()
        values: dict[str, Value] = {
            "slice_id": number,
            "track_id": track,
            "ts": ts,
            "dur": round(ms * MS),
            "name": name,
            "class_": "host" if track in {CANN, PYTHON} else "compute",
            "step": step,
        }
        self._store.add("slice", **(values | more))
        return number

    def kernel(
        self,
        type_: str,
        ms: float,
        *,
        core: str = "AI_CORE",
        step: int = 1,
        class_: str = "compute",
        **more: Value,
    ) -> int:
        """Add a kernel without spending time: what is left of a step is computing anyway."""
        ts = self._begin(step)
        number = self.slice(type_, ms=ms, ts=ts, step=step, track=STREAM, class_=class_)
        values: dict[str, Value] = {
            "kernel_id": number,
            "device_id": self._rank,
            "slice_id": number,
            "step": step,
            "name": f"aclnn{type_}",
            "type": type_,
            "core": core,
            "ts": ts,
            "dur": round(ms * MS),
        }
        self._store.add("kernel", **(values | more))
        self._store.add(
            "operator_total",
            step=step,
            name=f"aclnn{type_}",
            type=type_,
            core=core,
            count=1,
            total=round(ms * MS),
            min=round(ms * MS),
            max=round(ms * MS),
        )
        return number

    def launch(self, slice_id: int, at_ms: float) -> "RunBuilder":
        instant = round(at_ms * MS)
        self._store.add(
            "launch_link",
            slice_id=slice_id,
            host_slice_id=slice_id,
            launch_ts=instant,
            launch_end=instant,
            method="flow",
        )
        return self

    def collective(
        self, name: str, ms: float, *, step: int = 1, late: dict[int, float], **more: Value
    ) -> "RunBuilder":
        """Add a collective with its first wait for each peer, in ms."""
        ts = self._begin(step)
        number = self.slice(name, ms=ms, ts=ts, step=step, track=PLANE, class_="communication")
        values: dict[str, Value] = {
            "collective_id": number,
            "device_id": self._rank,
            "slice_id": number,
            "step": step,
            "name": name,
            "ts": ts,
            "dur": round(ms * MS),
            "last_peer": max(late, key=lambda peer: late[peer], default=None),
            "last_number": max(late, key=lambda peer: late[peer], default=None),
        }
        self._store.add("collective", **(values | more))
        for peer, wait in late.items():
            self._store.add(
                "peer_arrival",
                collective_id=number,
                number=peer,
                peer=peer,
                wait_ns=round(wait * MS),
            )
        return self

    def link(
        self, number: int | None, ms: float, bytes_: int, *, step: int = 1, **more: Value
    ) -> "RunBuilder":
        """Add one message to a peer of group 0, which numbers it as the job does."""
        rate = bytes_ * 1000 / ms
        values: dict[str, Value] = {
            "device_id": self._rank,
            "step": step,
            "group": "0",
            "operation": "hcom_allReduce",
            "task": "Memcpy",
            "number": number,
            "peer": number,
            "transport": "SDMA",
            "link": "HCCS",
            "from_bytes": 1 << (bytes_.bit_length() - 1),
            "count": 1,
            "bytes": bytes_,
            "total": round(ms * MS),
            "min_bytes_per_s": rate,
            "max_bytes_per_s": rate,
        }
        self._store.add("link", **(values | more))
        return self

    def copy(self, ms: float, *, at_ms: float, step: int = 1, **more: Value) -> int:
        """Add a copy that nothing hides; ``direction`` and ``bytes`` as in the table copy."""
        ts = self._begin(step) + round(at_ms * MS)
        number = self.slice(
            "MEMCPY_ASYNC",
            ms=ms,
            ts=ts,
            step=step,
            track=STREAM,
            class_="copy",
            task_type="PCIE_DMA_SQE",
        )
        values: dict[str, Value] = {"exposed_ns": round(ms * MS), "device_id": self._rank}
        self._store.add("copy", slice_id=number, **(values | more))
        return number

    def counter(self, name: str, unit: str, *samples: tuple[float, float]) -> "RunBuilder":
        """Add a counter with its values at instants in ms."""
        series = self._new()
        self._store.add("counter_series", series_id=series, name=name, unit=unit)
        for at_ms, value in samples:
            self._store.add("counter", series_id=series, ts=round(at_ms * MS), value=float(value))
        return self

    def build(self) -> Store:
        for (rank, step), spent in self._spent.items():
            rest = STEP_MS * MS - spent
            assert rest >= 0
            if rest:
                self._ledger[rank, step, "computing"] = rest
        for (rank, step, state), dur in self._ledger.items():
            self._store.rank(rank).add("ledger", device_id=rank, step=step, state=state, dur=dur)
        return self._store.build()

    def _begin(self, step: int) -> int:
        return (step - 1) * STEP_MS * MS

    def _new(self) -> int:
        self._ids += 1
        return self._ids


_compared: set[tuple[str, str | None, str]] = set()
"""Findings that came from both engines: the rule, the variant and the status."""


def found(store: Store, book: RuleBook | None = None, *, step: int | None = None) -> list[Finding]:
    """Return all findings, of which those of a new kind are the same on both engines."""
    book = book or shipped_rules()
    with Session(store, threads=1) as index:
        answer = find(index, book, step=step)
    kinds = {(one.rule.name, one.variant, one.status) for one in answer}
    if not kinds or not kinds <= _compared:
        with Session(store, engine="parquet", threads=2) as record:
            assert find(record, book, step=step) == answer
        _compared.update(kinds)
    return answer


def named(findings: list[Finding], name: str) -> Finding:
    """Return the one finding of a rule."""
    [one] = [one for one in findings if one.rule.name == name]
    return one
