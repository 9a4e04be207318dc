"""Builds streams of kernels that one kernel could replace."""

from pathlib import Path
from typing import Any

from store_build import StoreBuilder, Value, ask

from npuview.ingest.store import Store
from npuview.queries.rows_cores import FusionCandidatesRow

US = 1_000
HEADS = ("32,32,784,128", "DT_BF16", "ND")
ATTENTION = ("BatchMatMulV3", "Muls", "SoftmaxV2", "BatchMatMulV3")
FUSION_OP = {
    "Model Name": "VARCHAR",
    "Fusion Op": "VARCHAR",
    "Original Ops": "VARCHAR",
    "Memory Total(KB)": "VARCHAR",
}


class Stream:
    """Builds a store of kernels one after the other; each takes 10 us, 2 us after the last."""

    def __init__(self, path: Path) -> None:
        self._store = StoreBuilder(path).rank(0)
        self._count = 0
        self._free: dict[int, int] = {}

    def run(
        self,
        *types: str,
        stream: int = 2,
        after_us: int = 2,
        tensor: tuple[str, str, str] = HEADS,
        **more: Value,
    ) -> "Stream":
        for type_ in types:
            self._count += 1
            ts = self._free.get(stream, 0) + after_us * US
            self._free[stream] = ts + 10 * US
            shape, dtype, format_ = tensor
            values: dict[str, Any] = {
                "kernel_id": self._count,
                "stream_id": stream,
                "type": type_,
                "name": type_,
                "core": "AI_CORE",
                "ts": ts,
                "dur": 10 * US,
            }
            for side in ("input", "output"):
                values |= {
                    f"{side}_shapes": f'"{shape}"',
                    f"{side}_dtypes": dtype,
                    f"{side}_formats": format_,
                }
            self._store.add("kernel", **(values | more))
        return self

    @property
    def builder(self) -> StoreBuilder:
        return self._store

    def store(self) -> Store:
        return self._store.build()


def candidates(store: Store, **params: object) -> list[FusionCandidatesRow]:
    return ask(store, "fusion_candidates", **params)


def only(store: Store, **params: object) -> FusionCandidatesRow:
    [row] = candidates(store, **params)
    return row
