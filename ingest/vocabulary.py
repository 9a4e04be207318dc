"""The field's words: which task types, lanes and operators belong to which class.

Task types are matched in upper case with blanks as ``_`` and without ``_SQE``,
because real files write ``SDMA``, ``Write Value`` and ``EVENT_WAIT_SQE``.
"""

from typing import Final

COMPUTE: Final = (
    "AI_CORE AI_VECTOR_CORE MIX_AIC MIX_AIV AI_CPU FFTS_PLUS AIV DSA DVPP FUSION"
    " KERNEL_AICORE KERNEL_AIVEC KERNEL_MIX_AIC KERNEL_MIX_AIV KERNEL_AICPU KERNEL_SIMT"
    " AICPU_H AICPU_D"
)
COMMUNICATION: Final = "COMMUNICATION HCCL HCCL_AI_CPU CCU"
COPY: Final = "SDMA PCIE_DMA MEMCPY_ASYNC ASYNCDMA UBDMA REDUCE_ASYNC REDUCE_ASYNC_V2"
WAIT: Final = "EVENT_WAIT NOTIFY_WAIT CONDITION"
SYNC: Final = "EVENT_RECORD EVENT_RESET NOTIFY_RECORD WRITE_VALUE CMO"
CONTROL: Final = (
    "PROFILING_ENABLE PROFILING_DISABLE MODEL_EXECUTE MODEL_MAINTAINCE PLACE_HOLDER END"
    " WRITE_BACK INVALID"
)

TASK_CLASS: Final[dict[str, str]] = {
    task: name
    for tasks, name in (
        (COMPUTE, "compute"),
        (COMMUNICATION, "communication"),
        (COPY, "copy"),
        (WAIT, "wait"),
        (SYNC, "sync"),
        (CONTROL, "control"),
    )
    for task in tasks.split()
}
"""Class of a device task by its matched task type."""

CATEGORY_CLASS: Final[dict[str, str]] = {
    "kernel": "compute",
    "gpu_memcpy": "copy",
    "gpu_memset": "copy",
}
"""Class of a device slice of other profilers (Kineto) by its category."""

AI_CPU_TASKS: Final = ("AI_CPU", "KERNEL_AICPU", "AICPU_H", "AICPU_D")
"""Task types that run on the device's own CPU, in matched form."""

COLLECTIVE_CORES: Final = tuple(COMMUNICATION.split())
"""What a kernel table gives for the core of a collective, in capitals."""

CUBE_CORES: Final = ("AI_CORE", "AIC", "MIX_AIC", "KERNEL_AICORE", "KERNEL_MIX_AIC")
VECTOR_CORES: Final = (
    "AI_VECTOR_CORE",
    "AIV",
    "MIX_AIV",
    "DSA",
    "KERNEL_AIVEC",
    "KERNEL_MIX_AIV",
)
"""Cores, and task types in matched form, by the row on which their kernels are drawn."""

UNSPECIFIC_TASKS: Final = ("AI_CORE", "KERNEL_AICORE")
"""Task types that timelines give to kernels of every core: they tell no core."""

FUSED_COMMUNICATION: Final = (
    "MoeDistributeDispatch",
    "MoeDistributeCombine",
    "AllGatherMatmul",
    "MatmulReduceScatter",
    "MatmulAllReduce",
    "AlltoAllvGroupedMatMul",
    "GroupedMatMulAlltoAllv",
)
"""Parts of kernel names that compute and communicate at once (class ``mc2``)."""

PLANE_MOVES: Final = (
    "Memcpy",
    "Reduce_Inline",
    "RDMASend",
    "RDMA_Send",
    "Write",
    "WriteWithNotify",
    "WriteReduceWithNotify",
    "Read",
    "ReadReduce",
)
"""Plane tasks of a collective that move data, by name."""

DATA_TYPE_BYTES: Final[dict[str, int]] = {
    "INT8": 1,
    "UINT8": 1,
    "HIF8": 1,
    "FP8E4M3": 1,
    "FP8E5M2": 1,
    "FP8E8M0": 1,
    "INT16": 2,
    "UINT16": 2,
    "FP16": 2,
    "BFP16": 2,
    "INT32": 4,
    "UINT32": 4,
    "FP32": 4,
    "INT64": 8,
    "UINT64": 8,
    "FP64": 8,
    "INT128": 16,
}
"""Width of a collective's data type."""

FRAMEWORK_TYPE_BYTES: Final[dict[str, int]] = {
    "bool": 1,
    "signed char": 1,
    "unsigned char": 1,
    "short": 2,
    "short int": 2,
    "c10::Half": 2,
    "c10::BFloat16": 2,
    "int": 4,
    "float": 4,
    "long": 8,
    "long int": 8,
    "double": 8,
    "c10::complex<float>": 8,
    "c10::complex<double>": 16,
}
"""Width of a tensor's element by the name that PyTorch records for its type."""

MODEL_OPERATORS: Final = (
    ("train", r"Grad|Backprop|ApplyAdam|ApplyMomentum|ApplyGradientDescent"),
    ("prefill", r"PromptFlashAttention|UnpadFlashAttention|FlashAttentionScore"),
    ("decode", r"IncreFlashAttention|PagedAttention"),
    ("attention", r"FusedInferAttentionScore"),
    ("embedding", r"^(GatherV[23]|Gather|Embedding\w*)$|(^|_)(GatherV[23]|Embedding)\w*$"),
)
"""What an operator of the device tells of the model that runs it, by its type or name.

Of several the first one counts. The fused attention of inference serves both kinds."""

ITERATION_RANGES: Final = (
    (1, r"^execute_(model|new|context)", None, None),
    (2, r"\.py\(\d+\): execute_model$", None, None),
    (
        3,
        r"(?i)^([^:@.#(]*[^a-z:@.#(])?(prefill|decode|infer|iteration|iter|step)([^a-z:@(][^:@(]*)?$",
        r"^(cpu_op|user_annotation)$",
        None,
    ),
    (4, r".", r"(?i)mstx|msproftx", None),
    (4, r".", None, r"(?i)mstx|msproftx"),
)
"""Ranges on the host that may be iterations: by rank of trust the form of the name, of the
category and of the process, where it matters.

vLLM names the range of an iteration ``execute_new_1_cached_7`` or, later,
``execute_context_1(512)_generation_7(7)``, and its own function ``execute_model``."""

HOST_ROLES: Final = (
    "gc",
    "compile",
    "alloc",
    "dequeue",
    "dataloader",
    "sync",
    "copying",
    "replay",
    "awaiting",
)
"""What a host slice says of its thread by its name; of several the first one counts."""

HOST_CALLS: Final = (
    ("gc", r"^(Python )?GC$|^gc[.: ]collect"),
    ("compile", r"(^|@)(opCompile|aclopCompile|aclgrphBuildModel|CompileGraph)$"),
    ("capture", r"(^|@)aclmdlRICaptureBegin$"),
    ("alloc", r"(^|@)((aclrt|rt|Dev|cuda|hip)(Malloc|Free)\w*|aclrt(Unm|M)apMem)$"),
    ("alloc", r"^[^ ]+\.py\(\d+\): empty_cache$"),
    ("dequeue", r"^Dequeue(@|$)"),
    ("dataloader", r"(?i)dataloader.*__next__|(^|::|\.)GetNext\b"),
    ("sync", r"(^|@)(aclrtSynchronize|(rt|cuda|hip)?(Stream|Device|Event)Synchronize)\w*$"),
    ("sync", r"(^|@)(aclrtMemcpy(2d)?|(cuda|hip)Memcpy|MemCopySync)$"),
    ("copying", r"^aten::(to|_to_copy|copy_)$|(^|@)aclrtMemcpy\w*$"),
    (
        "replay",
        r"(^|@)(aclmdlRIExecute\w*|aclmdlExecute\w*|ModelExecute|rtModelExecute|cudaGraphLaunch)$",
    ),
    ("launch", r"(^|@)(launch|(rt)?KernelLaunch\w*|cudaLaunchKernel\w*)$"),
    ("frame", r"^[^ ]+\.py\(\d+\): "),
    (
        "awaiting",
        r"(^|/)(queue|threading|selectors|socket|connection)\.py\(\d+\): (get|wait|select)$",
    ),
    ("awaiting", r"^<built-in method (acquire|poll|select|recv\w*|epoll_wait)\b"),
    ("backward", r"^torch/_tensor\.py\(\d+\): backward$|^autograd::engine::evaluate_function"),
    ("optimizer", r"^Optimizer\.step#|^torch/optim/optimizer\.py\(\d+\): wrapper$"),
)
"""Forms of the names of host slices, as regular expressions, and what they tell: a role,
``capture`` of a graph, ``launch``, ``frame`` for a line of Python, or the phase of the step
that begins with it."""
