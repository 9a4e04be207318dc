"""The made-up network of the sample profile: what one training step runs, in order.

A vision transformer of two blocks, batch 32, 784 patches of width 4096, bfloat16,
trained data parallel. Kernels take what they would on a chip of 24 cube and 48
vector cores. The tables hold microseconds; the records hold nanoseconds.
"""

from math import prod
from typing import NamedTuple

BLOCKS = 2
BATCH_BYTES = 32 * 3 * 224 * 224 * 4
BLOCK_GRADIENT_BYTES = 12 * 4096 * 4096 * 2
REST_GRADIENT_BYTES = 62_914_560

SHORT_CHECK_US = 118
DTYPE_BYTES = {"DT_BF16": 2, "FLOAT": 4, "INT64": 8}


class Kernel(NamedTuple):
    """A kernel: operator type, core that runs it, ns, blocks, operands as shape/dtype/format."""

    type: str
    core: str
    dur: int
    blocks: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class Operator(NamedTuple):
    """An operator as the framework calls it.

    ``frames`` are the Python frames around it, ``ops`` the nested operators of the framework,
    both outermost first. ``python_ns`` passes in the frames before it, ``report_ns`` after it in
    a check that has read a value back. A backward operator has its forward operator's key.
    """

    key: str
    frames: tuple[str, ...]
    ops: tuple[str, ...]
    api: str
    kernels: tuple[Kernel, ...]
    python_ns: int
    report_ns: int

    @property
    def operands(self) -> tuple[str, ...]:
        """What it is called with, as shape/dtype/format."""
        return self.kernels[0].inputs

    @property
    def output_bytes(self) -> int:
        """Bytes that it allocates for its result."""
        shape, dtype, _ = self.kernels[-1].outputs[0].split("/")
        return prod(map(int, shape.split(","))) * DTYPE_BYTES[dtype] if shape else 4


TENSORS = {
    "image": "32,3,224,224/FLOAT/NCHW",
    "image5": "32,1,224,224,16/DT_BF16/NC1HWC0",
    "filter": "12,256,16,16/DT_BF16/FRACTAL_Z",
    "patches5": "32,256,28,28,16/DT_BF16/NC1HWC0",
    "patches": "32,4096,28,28/DT_BF16/NCHW",
    "tokens": "32,784,4096/DT_BF16/ND",
    "rows": "25088,4096/DT_BF16/ND",
    "wide": "32,784,16384/DT_BF16/ND",
    "widerows": "25088,16384/DT_BF16/ND",
    "qkvrows": "25088,12288/DT_BF16/ND",
    "heads": "32,32,784,128/DT_BF16/ND",
    "headrows": "32,784,32,128/DT_BF16/ND",
    "heads32": "32,32,784,128/FLOAT/ND",
    "scores32": "32,32,784,784/FLOAT/ND",
    "gamma": "4096/DT_BF16/ND",
    "w_qkv": "4096,12288/DT_BF16/ND",
    "w_out": "4096,4096/DT_BF16/ND",
    "w_up": "4096,16384/DT_BF16/ND",
    "w_down": "16384,4096/DT_BF16/ND",
    "w_head": "4096,1000/DT_BF16/ND",
    "pooled": "32,4096/DT_BF16/ND",
    "logits": "32,1000/FLOAT/ND",
    "labels": "32/INT64/ND",
    "classes": "1000/INT64/ND",
    "scalar": "/FLOAT/ND",
    "weights": "406847488/DT_BF16/ND",
    "moments": "406847488/FLOAT/ND",
}

# Name, type, core, microseconds, blocks, operands.
_KERNELS = """
pack      TransData               AI_VECTOR_CORE    182 48 image -> image5
conv      Conv2D                  AI_CORE           908 24 image5 filter -> patches5
unpack    TransData               AI_VECTOR_CORE    424 48 patches5 -> patches
norm      LayerNormV4             AI_VECTOR_CORE    623 48 tokens gamma gamma -> tokens
qkv       MatMulV3                AI_CORE         10480 24 rows w_qkv -> qkvrows
split     Transpose               AI_VECTOR_CORE    524 48 qkvrows -> heads
attend    FlashAttentionScore     MIX_AIC          6140 24 heads heads heads -> heads
out       MatMulV3                AI_CORE          3560 24 rows w_out -> rows
add       Add                     AI_VECTOR_CORE    451 48 tokens tokens -> tokens
up        MatMulV3                AI_CORE         13720 24 rows w_up -> widerows
gelu      Gelu                    AI_VECTOR_CORE   1142 48 wide -> wide
down      MatMulV3                AI_CORE         13650 24 widerows w_down -> rows
pool      ReduceMean              AI_VECTOR_CORE    334 48 tokens -> pooled
head      MatMulV3                AI_CORE           118  8 pooled w_head -> logits
softmax   LogSoftmaxV2            AI_VECTOR_CORE     47 32 logits -> logits
nll       NLLLoss                 MIX_AIV            31 48 logits labels -> scalar
count     Bincount                AI_CPU            312  1 labels -> classes
nllg      NLLLossGrad             AI_VECTOR_CORE     28 48 logits labels scalar -> logits
softmaxg  LogSoftmaxGrad          AI_VECTOR_CORE     52 32 logits logits -> logits
headx     MatMulV3                AI_CORE           104  8 logits w_head -> pooled
headw     MatMulV3                AI_CORE           142  8 pooled logits -> w_head
poolg     BroadcastTo             AI_VECTOR_CORE    322 48 pooled -> tokens
downx     MatMulV3                AI_CORE         13820 24 rows w_down -> widerows
downw     MatMulV3                AI_CORE         13480 24 widerows rows -> w_down
gelug     GeluGrad                AI_VECTOR_CORE   1684 48 wide wide -> wide
upx       MatMulV3                AI_CORE         13790 24 widerows w_up -> rows
upw       MatMulV3                AI_CORE         13660 24 rows widerows -> w_up
normg     LayerNormGradV3         AI_VECTOR_CORE   1312 48 tokens tokens gamma -> tokens
outx      MatMulV3                AI_CORE          3610 24 rows w_out -> rows
outw      MatMulV3                AI_CORE          3540 24 rows rows -> w_out
attendg   FlashAttentionScoreGrad MIX_AIC         14260 24 heads heads heads heads -> heads
merge     Transpose               AI_VECTOR_CORE    538 48 heads -> qkvrows
qkvx      MatMulV3                AI_CORE         10390 24 qkvrows w_qkv -> rows
qkvw      MatMulV3                AI_CORE         10610 24 rows qkvrows -> w_qkv
packg     TransData               AI_VECTOR_CORE    431 48 patches -> patches5
convw     Conv2DBackpropFilter    AI_CORE          1764 24 image5 patches5 -> filter
decay     ForeachMulScalar        AI_VECTOR_CORE   4710 48 moments -> moments
mean      ForeachLerpScalar       AI_VECTOR_CORE   7080 48 moments weights -> moments
square    ForeachAddcmulScalar    AI_VECTOR_CORE   7360 48 moments weights -> moments
root      ForeachSqrt             AI_VECTOR_CORE   4580 48 moments -> moments
step      ForeachAddcdivScalar    AI_VECTOR_CORE   8610 48 moments moments moments -> moments
cast      ForeachCopy             AI_VECTOR_CORE   3530 48 moments -> weights
"""

_FRAMES = {
    "model": ("nn.Module: VisionTransformer_0", "model/vit.py(96): forward"),
    "block": ("nn.Module: Block_{b}", "model/vit.py(61): forward"),
    "attention": ("nn.Module: Attention_{b}", "model/vit.py(33): forward"),
    "feed": ("nn.Module: FeedForward_{b}", "model/vit.py(48): forward"),
    "conv": ("nn.Module: Conv2d_0", "torch/nn/modules/conv.py(460): forward"),
    "norm": ("nn.Module: LayerNorm_{n}", "torch/nn/modules/normalization.py(201): forward"),
    "linear": ("nn.Module: Linear_{n}", "torch/nn/modules/linear.py(116): forward"),
    "classifier": ("nn.Module: Linear_8", "torch/nn/modules/linear.py(116): forward"),
    "gelu": ("nn.Module: GELU_{b}", "torch/nn/modules/activation.py(681): forward"),
    "loss": ("nn.Module: CrossEntropyLoss_0", "torch/nn/modules/loss.py(1179): forward"),
    "meter": ("train/meter.py(27): count_labels",),
    "adamw": ("torch/optim/optimizer.py(373): wrapper", "torch/optim/adamw.py(162): step"),
}

# Key | frames | framework operators | api | kernels | microseconds of Python and of the check.
# Backward operators run in the engine's thread, outside any Python frame, with a short check.
_EMBEDDING = """
conv | model conv | aten::conv2d aten::convolution | Convolution | pack conv unpack | 301 655
pos | model | aten::add | Add | add | 190 452
"""
_BLOCK = """
norm1 | block norm | aten::layer_norm aten::native_layer_norm | LayerNorm | norm | 372 640
qkv | block attention linear | aten::linear aten::addmm | Addmm | qkv | 318 886
attend | block attention | npu::fusion_attention | FlashAttentionScore | split attend | 455 1012
out | block attention linear | aten::linear aten::addmm | Addmm | out | 296 702
add1 | block | aten::add | Add | add | 188 430
norm2 | block norm | aten::layer_norm aten::native_layer_norm | LayerNorm | norm | 366 654
up | block feed linear | aten::linear aten::addmm | Addmm | up | 331 1180
gelu | block feed gelu | aten::gelu | Gelu | gelu | 244 742
down | block feed linear | aten::linear aten::addmm | Addmm | down | 322 1085
add2 | block | aten::add | Add | add | 190 445
"""
_HEAD = """
pool | model | aten::mean | Mean | pool | 214 530
head | model classifier | aten::linear aten::addmm | Addmm | head | 291 588
softmax | loss | aten::cross_entropy_loss aten::log_softmax | LogSoftmax | softmax | 205 320
nll | loss | aten::nll_loss_nd aten::nll_loss_forward | NLLLoss | nll | 172 365
count | meter | aten::bincount | Bincount | count | 240 410
"""
_HEAD_BACKWARD = """
nll | NllLossBackward0 aten::nll_loss_backward | NLLLossBackward | nllg | 62
softmax | LogSoftmaxBackward0 aten::_log_softmax_backward_data | LogSoftmaxBackward | softmaxg | 58
head | AddmmBackward0 aten::mm | Mm | headx headw | 66
pool | MeanBackward1 aten::expand | Expand | poolg | 70
"""
_BLOCK_BACKWARD = """
down | AddmmBackward0 aten::mm | Mm | downx downw | 96
gelu | GeluBackward0 aten::gelu_backward | GeluBackward | gelug | 74
up | AddmmBackward0 aten::mm | Mm | upx upw | 98
norm2 | NativeLayerNormBackward0 aten::native_layer_norm_backward | LayerNormBackward | normg | 83
out | AddmmBackward0 aten::mm | Mm | outx outw | 95
attend | AttentionBackward0 npu::attention_grad | FlashAttentionScoreGrad | attendg merge | 121
qkv | AddmmBackward0 aten::mm | Mm | qkvx qkvw | 97
norm1 | NativeLayerNormBackward0 aten::native_layer_norm_backward | LayerNormBackward | normg | 84
"""
_EMBEDDING_BACKWARD = """
conv | ConvolutionBackward0 aten::convolution_backward | ConvolutionBackward | packg convw | 110
"""
_OPTIMIZER = """
decay | adamw | aten::_foreach_mul_ | ForeachMulScalar | decay | 212 260
mean | adamw | aten::_foreach_lerp_ | ForeachLerpScalar | mean | 178 254
square | adamw | aten::_foreach_addcmul_ | ForeachAddcmulScalar | square | 181 248
root | adamw | aten::_foreach_sqrt | ForeachSqrt | root | 164 251
step | adamw | aten::_foreach_addcdiv_ | ForeachAddcdivScalar | step | 196 263
cast | adamw | aten::_foreach_copy_ | ForeachCopy | cast | 171 249
"""


def read_kernels(table: str) -> dict[str, Kernel]:
    """Return the kernels of a table by the names that its lines begin with."""
    kernels: dict[str, Kernel] = {}
    for line in table.strip().splitlines():
        name, type_, core, microseconds, blocks, *operands = line.split()
        arrow = operands.index("->")
        inputs, outputs = (
            tuple(TENSORS[tensor] for tensor in side)
            for side in (operands[:arrow], operands[arrow + 1 :])
        )
        kernels[name] = Kernel(type_, core, int(microseconds) * 1000, int(blocks), inputs, outputs)
    return kernels


KERNELS = read_kernels(_KERNELS)


def _read_operators(table: str, block: int | None = None) -> tuple[Operator, ...]:
    """Read a table of operators; ``block`` numbers the modules of a block and its keys."""
    operators: list[Operator] = []
    suffix = "" if block is None else f".{block}"
    seen: dict[str, int] = {}
    for line in table.strip().splitlines():
        key, *names, ops, api, kernels, times = (part.strip() for part in line.split("|"))
        frames: list[str] = []
        for name in " ".join(names).split():
            number = seen[name] = seen.get(name, -1) + 1
            modules = {"norm": 2, "linear": 4}.get(name, 1) * (block or 0) + number
            frames += (frame.format(b=block, n=modules) for frame in _FRAMES[name])
        python, report = (int(us) * 1000 for us in (*times.split(), SHORT_CHECK_US)[:2])
        operators.append(
            Operator(
                key + suffix,
                tuple(frames),
                tuple(ops.split()),
                f"aclnn{api}",
                tuple(KERNELS[kernel] for kernel in kernels.split()),
                python,
                report,
            )
        )
    return tuple(operators)


def _blocks(table: str) -> tuple[tuple[Operator, ...], ...]:
    return tuple(_read_operators(table, block) for block in range(BLOCKS))


FORWARD = (
    *_read_operators(_EMBEDDING),
    *(operator for block in _blocks(_BLOCK) for operator in block),
    *_read_operators(_HEAD),
)
"""The operators of the forward pass and the loss."""

BUCKETS = (
    (
        (*_read_operators(_HEAD_BACKWARD), *_blocks(_BLOCK_BACKWARD)[1]),
        BLOCK_GRADIENT_BYTES,
    ),
    (_blocks(_BLOCK_BACKWARD)[0], BLOCK_GRADIENT_BYTES),
    (_read_operators(_EMBEDDING_BACKWARD), REST_GRADIENT_BYTES),
)
"""The backward pass by gradient bucket: its operators, and the bytes then reduced over ranks."""

OPTIMIZER = _read_operators(_OPTIMIZER)
"""The operators of the optimizer, which wait for all buckets."""
