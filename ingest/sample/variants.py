"""What the made-up network launches where its operators' library is worse, or better.

Each variant gives, by the call into the library, the kernels that it launches instead of
those of the model.
"""

from collections.abc import Mapping, Sequence

from .model import KERNELS, Kernel, read_kernels

FORWARD_API = "aclnnFlashAttentionScore"
BACKWARD_API = "aclnnFlashAttentionScoreGrad"
OPERANDS = 3
"""Queries, keys and values: each is transposed and cast on its own."""

# As in the model: name, type, core, microseconds, blocks, operands.
_KERNELS = read_kernels("""
turn      Transpose               AI_VECTOR_CORE   6870 48 headrows -> heads
cast      Cast                    AI_VECTOR_CORE   5490 48 heads -> heads32
fused     TransposeCast           AI_VECTOR_CORE   3934 48 headrows -> heads32
slower    TransposeCast           AI_VECTOR_CORE  14214 48 headrows -> heads32
scores    BatchMatMulV3           AI_CORE          6240 24 heads32 heads32 -> scores32
scale     Muls                    AI_VECTOR_CORE   3580 48 scores32 -> scores32
softmax   SoftmaxV2               AI_VECTOR_CORE   4470 48 scores32 -> scores32
weigh     BatchMatMulV3           AI_CORE          5410 24 scores32 heads32 -> heads32
gelu      Gelu                    AI_VECTOR_CORE   6852  8 wide -> wide
""")


def _around(kernels: Sequence[Kernel]) -> Mapping[str, tuple[Kernel, ...]]:
    """Return attention with kernels for each operand before it, and after its backward pass."""
    every = (*kernels,) * OPERANDS
    return {
        FORWARD_API: (*every, KERNELS["attend"]),
        BACKWARD_API: (KERNELS["attendg"], *every),
    }


TRANSPOSES = _around((_KERNELS["turn"], _KERNELS["cast"]))
"""Operands are transposed, then cast."""

FUSED = _around((_KERNELS["fused"],))
"""One kernel does both, in a third of the time."""

FUSED_SLOWER = _around((_KERNELS["slower"],))
"""One kernel does both and takes longer than the two did."""

UNFUSED_ATTENTION = {
    FORWARD_API: tuple(
        _KERNELS[name] if name in _KERNELS else KERNELS[name]
        for name in ("split", "cast", "scores", "scale", "softmax", "weigh")
    )
}
"""Attention of the forward pass in pieces, in float32, with scores of 784 by 784."""

SMALL_BLOCKS = {"aclnnGelu": (_KERNELS["gelu"],)}
"""An activation that was cut into too few blocks."""
