"""What a device was given to do: steps, kernels, who launched them, copies, totals."""

from ..table import described
from .words import STEP_KINDS, STEP_SOURCES

STEP = described(
    "step",
    "A training step or iteration.",
    f"""
    rank | INTEGER | rank
    step | INTEGER | number in the file, else counted from 1; 0 for a whole run without steps
    source | VARCHAR | {", ".join(STEP_SOURCES)}
    kind | VARCHAR | {", ".join(STEP_KINDS)}
    tokens | BIGINT | tokens that an iteration of a server works on, NULL if not known
    inferred | BOOLEAN | whether its borders are npuview's conclusion and not a mark in the file
    warmup | BOOLEAN | a leading step with proof, which is warmup_by; NULL without times
    warmup_by | VARCHAR | compile, capture, first_use or schedule, with commas; NULL: no warm-up
    ts | BIGINT | start of its period: the device end of the step before, or its host start
    dur | BIGINT | length of its period; periods tile the run
    host_ts | BIGINT | start on the host, NULL if not marked
    host_dur | BIGINT | length on the host
    device_ts | BIGINT | start of its first launched device task, NULL without device work
    device_dur | BIGINT | from there to the end of its last device task
    computing | BIGINT | official Computing, ns
    communication | BIGINT | official Communication, ns
    communication_not_overlapped | BIGINT | official Communication(Not Overlapped), ns
    overlapped | BIGINT | official Overlapped, ns
    free | BIGINT | official Free, ns
    stage | BIGINT | official Stage, ns
    bubble | BIGINT | official Bubble, ns
    preparing | BIGINT | official Preparing, ns
    figures_source | VARCHAR | step_trace_time (file), overlap_lane, own_union; NULL without figures
    """,
    order=("ts",),
)

KERNEL = described(
    "kernel",
    "A device operator as kernel_details, op_summary or the task lanes list it.",
    """
    kernel_id | BIGINT | identifies the kernel
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    slice_id | BIGINT | its slice on the timeline, NULL when only in the table
    step | INTEGER | step, NULL outside all steps
    name | VARCHAR | kernel name, empty if the table gives none
    type | VARCHAR | operator type, NULL if not collected
    core | VARCHAR | what ran it: AI_CORE, AI_VECTOR_CORE, MIX_AIC, AI_CPU, COMMUNICATION, ...
    ts | BIGINT | start, ns
    dur | BIGINT | length, ns
    wait | BIGINT | gap before it as the profiler prints it (float, +-0.25 us), ns
    block_num | INTEGER | blocks
    mix_block_num | INTEGER | blocks on the second core type of a MIX kernel
    stream_id | BIGINT | stream
    task_id | BIGINT | task
    op_state | VARCHAR | static or dynamic
    input_shapes | VARCHAR | shapes, ";" between tensors, "," between dimensions
    input_dtypes | VARCHAR | data types, ";" between tensors
    input_formats | VARCHAR | formats, ";" between tensors
    output_shapes | VARCHAR | as input_shapes
    output_dtypes | VARCHAR | as input_dtypes
    output_formats | VARCHAR | as input_formats
    aicore_time | BIGINT | time on the cube cores, ns
    aiv_time | BIGINT | time on the vector cores, ns
    aic_mac_ratio | DOUBLE | busy share of the cube unit, 0..1
    aic_mte1_ratio | DOUBLE | busy share of L1 to L0 moves
    aic_mte2_ratio | DOUBLE | busy share of memory to L1 moves on cube cores
    aic_fixpipe_ratio | DOUBLE | busy share of moves out of L0C
    aic_scalar_ratio | DOUBLE | busy share of the scalar unit on cube cores
    aiv_vec_ratio | DOUBLE | busy share of the vector unit
    aiv_mte2_ratio | DOUBLE | busy share of memory to UB moves on vector cores
    aiv_mte3_ratio | DOUBLE | busy share of UB to memory moves
    aiv_scalar_ratio | DOUBLE | busy share of the scalar unit on vector cores
    cube_utilization | DOUBLE | cube cycles over all cube cores' cycles, 0..1
    mhz | DOUBLE | AI Core Freq of the slowest die when it began, NULL if unknown or on other cores
    shape_id | BIGINT | its kernel_shape
    """,
    order=("ts",),
)

KERNEL_SHAPE = described(
    "kernel_shape",
    "What kernels have in common that are called alike: questions about texts ask these few rows.",
    """
    shape_id | BIGINT | identifies it
    rank | INTEGER | rank
    name | VARCHAR | as in kernel, and so are the others
    type | VARCHAR | operator type
    core | VARCHAR | what ran them
    block_num | INTEGER | blocks
    input_shapes | VARCHAR | shapes of what they read
    input_dtypes | VARCHAR | data types of it
    input_formats | VARCHAR | formats of it
    output_shapes | VARCHAR | shapes of what they write
    output_dtypes | VARCHAR | data types of it
    output_formats | VARCHAR | formats of it
    usual_mhz | DOUBLE | AI Core Freq at which kernels of the rank ran longest, NULL if unknown
    usual_dur | BIGINT | on AI cores: median length, at it, of this type, blocks and input, ns
    """,
    order=("shape_id",),
)

KERNEL_METRIC = described(
    "kernel_metric",
    "A measured column of a kernel, under the column's own name and unit.",
    """
    kernel_id | BIGINT | its kernel
    rank | INTEGER | rank
    metric | VARCHAR | column name as the file writes it
    value | DOUBLE | value as the file writes it
    """,
    order=("kernel_id",),
)

LAUNCH_LINK = described(
    "launch_link",
    "Which host slice launched a device slice.",
    """
    slice_id | BIGINT | the device slice
    rank | INTEGER | rank
    host_slice_id | BIGINT | the host slice that launched it, NULL if only the instant is known
    enqueue_slice_id | BIGINT | the Enqueue that put the launch in the task queue, NULL without one
    launch_ts | BIGINT | instant of the launch, ns
    launch_end | BIGINT | end of the launching slice, at most the start of the device slice
    method | VARCHAR | flow, connection, torch_flow or order (n-th launch, n-th kernel)
    inferred | BOOLEAN | whether it is a conclusion and not a link in the file
    """,
    order=("slice_id",),
)

LAST_LAUNCH = described(
    "last_launch",
    "The kernel of a step that was launched last: until then the host was not done.",
    """
    rank | INTEGER | rank
    step | INTEGER | step
    launch_end | BIGINT | as in launch_link
    dur | BIGINT | length of the kernel, ns
    """,
    order=("step",),
)

LAUNCH_PACE = described(
    "launch_pace",
    "How fast the host of a rank launches; no row where it does not launch twice.",
    """
    rank | INTEGER | rank
    launch_ns | BIGINT | median time between two launches, ns
    """,
)

COPY = described(
    "copy",
    "A copy of the device outside collectives.",
    """
    slice_id | BIGINT | its slice
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    direction | VARCHAR | H2D, D2H, D2D or P2P; NULL where nothing tells
    bytes | BIGINT | size, NULL where nothing tells
    exposed_ns | BIGINT | part in which nothing computes and no collective moves data
    call_slice_id | BIGINT | the call that launched it or put it into the task queue
    operator_slice_id | BIGINT | the framework's operator around an Enqueue, NULL without
    sync_slice_id | BIGINT | the call that waited for it, NULL if none did
    blocking | BOOLEAN | whether its thread waited before launching more; NULL without a launch
    staging_ns | BIGINT | of a blocking copy from the host: time before it with nothing to wait for
    inferred | BOOLEAN | whether direction or bytes are a conclusion
    """,
    order=("slice_id",),
)

ALLOCATION = described(
    "allocation",
    "Device memory that an operator took from an allocator, until it gave it back.",
    """
    allocation_id | BIGINT | identifies the allocation
    rank | INTEGER | rank
    device_id | INTEGER | the NPU, NULL if the file does not say
    component | VARCHAR | whose memory it is, as in counter_series.name: PTA, GE or MindSpore
    name | VARCHAR | the operator that took it
    bytes | BIGINT | size
    step | INTEGER | step in which the host took it, NULL outside all
    ts | BIGINT | when it was taken, ns; NULL if before the profile began
    release_ts | BIGINT | when it was given back, ns; NULL if not before the profile ended
    active_release_ts | BIGINT | when the last stream that used it was done, NULL if not known
    allocated | BIGINT | allocated in all when it was taken, bytes; NULL if not known
    reserved | BIGINT | reserved in all then
    active | BIGINT | active in all then
    release_allocated | BIGINT | allocated in all after it was given back, bytes
    release_reserved | BIGINT | reserved in all then
    release_active | BIGINT | active in all then
    stream_ptr | BIGINT | address of the stream that it was taken for, NULL if not known
    """,
    order=("ts", "allocation_id"),
)

OPERATOR_TOTAL = described(
    "operator_total",
    "Totals of an operator in a step.",
    """
    rank | INTEGER | rank
    step | INTEGER | step, NULL outside all steps
    name | VARCHAR | kernel name, empty if the table gives none
    type | VARCHAR | operator type
    core | VARCHAR | what ran it
    count | BIGINT | calls
    total | BIGINT | sum of their lengths, ns
    min | BIGINT | shortest, ns
    max | BIGINT | longest, ns
    """,
    order=("step", "total"),
)

OPERATOR_USUAL = described(
    "operator_usual",
    "What the median step of a rank calls of an operator type; steps that are warm-up are no part"
    " of the median, and one that does not call it counts as no call. No collectives.",
    """
    rank | INTEGER | rank
    type | VARCHAR | operator type, or the name where there is none; NULL for all kernels
    core | VARCHAR | what ran it
    count | BIGINT | calls in the median step
    total | BIGINT | its time in the median step, ns
    most | BIGINT | calls in the step that calls it most, warm-up or not
    """,
    order=("type", "core"),
)

LAYOUT_CALL = described(
    "layout_call",
    "A kernel that changes how or where a tensor lies or its type, and computes nothing.",
    """
    kernel_id | BIGINT | the kernel
    rank | INTEGER | rank
    step | INTEGER | its step
    type | VARCHAR | its operator type, by its name where that is not collected
    dur | BIGINT | its length, ns
    next_kernel_id | BIGINT | the kernel that ran directly after it on its stream, NULL without one
    """,
    order=("kernel_id",),
)

AICPU_CALL = described(
    "aicpu_call",
    "A kernel on an AI CPU, and what it holds up.",
    """
    kernel_id | BIGINT | the kernel
    rank | INTEGER | rank
    step | INTEGER | its step
    alone_ns | BIGINT | time in which only collectives and AI CPUs run besides it, ns
    """,
    order=("kernel_id",),
)
