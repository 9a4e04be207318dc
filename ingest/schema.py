"""The tables of the store: one row of each, its columns, units and physical order.

This is the only place where columns are documented; ``npuview schema`` and the
documentation are made from it. Times are int64 nanoseconds in the trace's own
clock, sizes are bytes, ratios lie in 0..1. Identifiers of tracks, slices and the
rest are unique in a whole store: ``rank ordinal << 40 | n``.
"""

from .table import Table, described

SCHEMA_VERSION = 4

ID_BITS = 40
"""Rows of one rank that an identifier has room for, as a power of two."""

EPOCH_FROM_NS = 10**18
"""A ts from here on is wall-clock time (2001 and later); less counts from another start."""

SLICE_CLASSES = (
    "compute",
    "communication",
    "mc2",
    "copy",
    "wait",
    "sync",
    "control",
    "host",
    "step",
    "overlap",
    "other",
)

SLICE_PARTS = ("cube", "vector", "compute", "transfer", "waiting", "control")
"""The rows on which the tasks of a stream or plane are drawn, from top to bottom."""

LEDGER_STATES = (
    "computing",
    "mc2",
    "aicpu",
    "transferring",
    "copying",
    "waiting_peer",
    "waiting_stage",
    "collective_other",
    "waiting_event",
    "idle",
)
"""What a device does at an instant; where several are true the first one counts."""

STEP_PHASES = ("lead_in", "forward", "body", "backward", "optimizer", "tail")
"""Parts of a step on a device; body where nothing marks forward and backward."""

IDLE_CAUSES = (
    "host_sync",
    "dataloader",
    "gc",
    "compile",
    "alloc",
    "host_launch",
    "host_framework",
    "graph_launch",
    "no_record",
    "wait_event",
    "copy_staging",
    "graph_inner",
    "profiler",
    "device_queue",
    "unknown",
)
"""Why a device had nothing to do; each but unknown has a slice that shows it."""


PROFILE = described(
    "profile",
    "A rank's profile.",
    """
    rank | INTEGER | rank in the job; the ordinal in the store where the profile does not say
    rank_known | BOOLEAN | whether the profile itself names its rank
    world_size | INTEGER | ranks in the job, NULL if the profile does not say
    device_id | INTEGER | the NPU, NULL if unknown
    host | VARCHAR | host name, NULL if unknown
    producer | VARCHAR | torch_npu, msprof, mindspore, or chrome for any other trace
    versions | VARCHAR | JSON object of the versions that the profile names
    level | VARCHAR | collection level (Level0, Level1, Level2, ...), NULL if not named
    switches | VARCHAR | JSON object of the collection switches that the profile names
    name | VARCHAR | the profile's folder or file name
    path | VARCHAR | where it was read from
    clock | VARCHAR | epoch (wall clock) or boot (since the machine started)
    clock_offset | BIGINT | ns to add to a ts to get epoch ns, NULL if unknown
    ts | BIGINT | first instant of any slice, or without slices of any sample
    dur | BIGINT | from there to the last one
    """,
)

TRACK_KINDS = (
    "python",
    "cann",
    "host",
    "stream",
    "group",
    "plane",
    "overlap",
    "step",
    "async",
    "counter",
    "device",
    "gap",
)

TRACK = described(
    "track",
    "A lane of the timeline. Those of kind device and gap are made by npuview: see stretch.",
    f"""
    track_id | BIGINT | identifies the lane
    rank | INTEGER | rank
    device_id | INTEGER | the NPU the lane belongs to, NULL on the host
    kind | VARCHAR | {", ".join(TRACK_KINDS)}
    process_name | VARCHAR | name of the lane's process as the file gives it
    process_label | VARCHAR | label of the process (CPU, NPU 0)
    thread_name | VARCHAR | name of the lane's thread
    pid_text | VARCHAR | process id as the file writes it
    tid_text | VARCHAR | thread id as the file writes it
    stream_id | BIGINT | stream number of a stream lane
    sort_order | BIGINT | place of the lane from top to bottom, unique within a rank
    group | VARCHAR | communication group of a group or plane lane
    """,
    order=("track_id",),
)

SLICE = described(
    "slice",
    "A span on a lane.",
    f"""
    slice_id | BIGINT | identifies the slice; counts in the order of the rows
    rank | INTEGER | rank
    track_id | BIGINT | its lane
    ts | BIGINT | start, ns
    dur | BIGINT | length, ns
    end_ts | BIGINT | ts + dur
    depth | INTEGER | how many slices of its sub-lane contain it
    sublane | INTEGER | 0, or the first sub-lane free of slices that it partly overlaps
    parent_id | BIGINT | the innermost slice that contains it, NULL at depth 0
    name | VARCHAR | name
    category | VARCHAR | category, NULL if the file gives none
    class | VARCHAR | {", ".join(SLICE_CLASSES)}
    part | VARCHAR | row of its stream or plane: {", ".join(SLICE_PARTS)}; NULL on other lanes
    task_type | VARCHAR | Task Type as the file writes it
    stream_id | BIGINT | stream of a device task
    task_id | BIGINT | task number on that stream
    connection_id | BIGINT | joins a task to its host call, NULL for none
    step | INTEGER | step, by host time on host lanes and by launch on device lanes
    phase | VARCHAR | phase letter of the event: X, B (with its E), i, b (with its e) or n
    unfinished | BOOLEAN | began and never ended: dur reaches to the end of the trace
    arg_set_id | BIGINT | its row in slice_arg, NULL without args
    """,
    order=("slice_id",),
)

SLICE_ARG = described(
    "slice_arg",
    "The args of a slice as the file writes them; nearly in the order of the file.",
    """
    arg_set_id | BIGINT | joins slice.arg_set_id
    args | VARCHAR | JSON text
    """,
    indexed=False,
)

FLOW = described(
    "flow",
    "An arrow between two slices.",
    """
    rank | INTEGER | rank
    category | VARCHAR | kind of arrow: HostToDevice, async_npu, async_task_queue, fwdbwd, ...
    name | VARCHAR | name without the id that some writers append
    flow_key | VARCHAR | id as the file writes it (some pass 64 bits)
    src_slice_id | BIGINT | where it starts, NULL if no slice starts or stands there
    dst_slice_id | BIGINT | where it ends, NULL likewise
    src_track_id | BIGINT | lane of its start, NULL if the file has no start
    dst_track_id | BIGINT | lane of its end, NULL if the file has no end
    src_ts | BIGINT | instant of its start, ns
    dst_ts | BIGINT | instant of its end, ns
    """,
    order=("category", "src_ts", "dst_ts"),
)

COUNTER_SERIES = described(
    "counter_series",
    "A measured quantity over time.",
    """
    series_id | BIGINT | identifies the series
    rank | INTEGER | rank
    track_id | BIGINT | its lane
    name | VARCHAR | counter name
    key | VARCHAR | which value of the counter
    unit | VARCHAR | unit of the values, NULL if the file gives none
    """,
    order=("series_id",),
)

COUNTER = described(
    "counter",
    "A sample of a counter series.",
    """
    series_id | BIGINT | its series
    ts | BIGINT | instant, ns
    value | DOUBLE | value in the series' unit
    """,
    order=("series_id", "ts"),
)

STEP = described(
    "step",
    "A training step or iteration.",
    """
    rank | INTEGER | rank
    step | INTEGER | number in the file, not renumbered; 0 for a whole run without steps
    source | VARCHAR | profiler_step, step_trace, kernel_details, step_trace_time or run
    kind | VARCHAR | train, iteration or run
    inferred | BOOLEAN | whether its borders are npuview's conclusion and not a mark in the file
    warmup | BOOLEAN | a leading step with proof: compilation, graph capture; NULL without times
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

LEDGER = described(
    "ledger",
    "Time of a step's period that a device spends in a state; sums to the period.",
    f"""
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    step | INTEGER | step
    phase | VARCHAR | {", ".join(STEP_PHASES)}
    state | VARCHAR | {", ".join(LEDGER_STATES)}
    cause | VARCHAR | why, for idle and waiting as in stall, idle with lead_in: or tail: before it
    dur | BIGINT | ns
    """,
    order=("step", "device_id", "state"),
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
    """,
    order=("ts",),
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

STALL = described(
    "stall",
    "A stretch in which a device does not work, for one reason.",
    f"""
    stall_id | BIGINT | identifies the stretch
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    step | INTEGER | step whose period holds it, NULL outside all
    state | VARCHAR | idle, waiting_event, waiting_peer or waiting_stage
    place | VARCHAR | lead_in (before the period's first task), between, tail; NULL for peer, stage
    ts | BIGINT | start, ns
    dur | BIGINT | length, ns
    cause | VARCHAR | {", ".join(IDLE_CAUSES)}; rank N, peer N or several ranks for peer and stage
    stage | VARCHAR | who was late: framework (enqueue), launch or device; NULL if not known
    gap_id | BIGINT | its gap of kind device, NULL outside of gaps
    next_slice_id | BIGINT | the task that ends the silence, NULL after the last
    evidence_slice_id | BIGINT | the slice that shows the cause, NULL if unknown
    line_slice_id | BIGINT | innermost line of Python that asked for the next task
    peer | INTEGER | the rank that is waited for, NULL for several and other states
    inferred | BOOLEAN | whether the cause is a conclusion and not a link in the file
    """,
    order=("ts",),
)

GAP = described(
    "gap",
    "An interval between two device tasks in which nothing of a kind runs.",
    """
    gap_id | BIGINT | identifies the gap
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    kind | VARCHAR | device (no compute, communication or copy runs), compute (no kernel runs)
    step | INTEGER | step whose period holds its middle, NULL outside all
    ts | BIGINT | start, ns
    dur | BIGINT | length, ns
    wait_ns | BIGINT | part in which an event wait runs
    idle_ns | BIGINT | part in which nothing runs: the rest, for kind device
    prev_slice_id | BIGINT | the task that ended last before it
    next_slice_id | BIGINT | the task that ends it
    cause | VARCHAR | what takes most of it, as in stall; for compute also a state of the ledger
    evidence_slice_id | BIGINT | the slice that shows it
    inferred | BOOLEAN | whether the cause is a conclusion, NULL without cause
    step_boundary | BOOLEAN | whether a step's period begins in it
    """,
    order=("ts",),
)

STRETCH = described(
    "stretch",
    "A span of a lane without slices: on device work of any kind, on gap a gap of kind device.",
    """
    track_id | BIGINT | the lane
    ts | BIGINT | start, ns
    dur | BIGINT | length, ns
    end_ts | BIGINT | ts + dur
    """,
    order=("ts", "track_id"),
)

COLLECTIVE = described(
    "collective",
    "A collective operation.",
    """
    collective_id | BIGINT | identifies the collective
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    slice_id | BIGINT | its slice
    step | INTEGER | step
    name | VARCHAR | name
    group | VARCHAR | communication group
    communicator | VARCHAR | the same group on every rank: one that is only numbered, with its tail
    nth | BIGINT | which of the collectives of this name in the step
    match_key | BIGINT | the same for the same collective on every rank that takes part
    bytes | BIGINT | message size (count times the width of the data type), NULL if not given
    ts | BIGINT | start, ns
    dur | BIGINT | length, ns
    transfer_ns | BIGINT | time in which at least one plane moves data, NULL without plane tasks
    wait_ns | BIGINT | time in which planes only wait for peers, NULL without plane tasks
    exposed_ns | BIGINT | part of it under which the device computes nothing
    exposed_transfer_ns | BIGINT | part of that in which data move, NULL without plane tasks
    exposed_wait_ns | BIGINT | part of that in which the device waits, NULL without plane tasks
    last_peer | INTEGER | rank that came last, NULL if unknown
    last_number | INTEGER | the same peer as its group numbers it, NULL if unknown
    """,
    order=("ts",),
)

PEER_ARRIVAL = described(
    "peer_arrival",
    "How long a collective's first wait for a peer took.",
    """
    collective_id | BIGINT | its collective
    rank | INTEGER | rank
    number | INTEGER | the peer as its group numbers it
    peer | INTEGER | its rank in the job, NULL where nothing says which rank a number is
    wait_ns | BIGINT | length of the first Notify_Wait for it
    slice_id | BIGINT | that Notify_Wait
    inferred | BOOLEAN | whether peer is a conclusion: see group_member
    source | VARCHAR | notify_wait
    """,
    order=("collective_id", "number"),
)

GROUP_MEMBER = described(
    "group_member",
    "A rank of a communication group. Groups without a list have only the numbers seen in waits.",
    """
    rank | INTEGER | the rank whose profile says so
    group | VARCHAR | the group as collective names it
    number | INTEGER | the member as the group numbers it
    peer | INTEGER | its rank in the job, NULL where nothing says which rank a number is
    inferred | BOOLEAN | whether peer is a conclusion: this rank's own number is its rank
    """,
    order=("group", "number"),
)

LINK = described(
    "link",
    "Data that plane tasks of one size, in powers of two, moved to or from a peer in a step.",
    """
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    step | INTEGER | step of the collective
    group | VARCHAR | communication group
    operation | VARCHAR | what the collective does, its name without group and number
    task | VARCHAR | name of the plane tasks
    number | INTEGER | the peer as its group numbers it, NULL for this rank itself
    peer | INTEGER | its rank in the job, NULL where nothing says which rank a number is
    transport | VARCHAR | transport type (SDMA, RDMA, ...) as the file writes it
    link | VARCHAR | link type (HCCS, ROCE, ON_CHIP, ...) as the file writes it
    from_bytes | BIGINT | size of each: from here to less than twice that, NULL if not given
    count | BIGINT | tasks
    bytes | BIGINT | bytes in all, NULL if not given
    total | BIGINT | sum of their lengths, ns; tasks to several peers run at once
    min_bytes_per_s | DOUBLE | least bytes per second of a task
    max_bytes_per_s | DOUBLE | most bytes per second of a task
    """,
    order=("step", "device_id", "group", "operation", "task", "number", "from_bytes"),
)

EVENT_WAIT = described(
    "event_wait",
    "A task in which a stream waits for another stream, or for a rank whose planes are not shown.",
    """
    slice_id | BIGINT | the wait
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    kind | VARCHAR | event, or notify
    record_slice_id | BIGINT | the record that ended it, NULL where that cannot be told
    producer_slice_id | BIGINT | the task that ended last before the record on its stream
    held_slice_id | BIGINT | the wait by which the record's stream was itself held, NULL for none
    root_slice_id | BIGINT | producer at the end of the chain, or its collective; NULL where lost
    depth | INTEGER | waits from this one to the root, 1 without another between; NULL unpaired
    exposed_ns | BIGINT | part in which nothing computes and no data is known to move
    inferred | BOOLEAN | whether the record is a conclusion, NULL without one
    """,
    order=("slice_id",),
)

HOST_SYNC = described(
    "host_sync",
    "A call in which a thread of the host waits for the device.",
    """
    slice_id | BIGINT | the call, the outer one of several for the same wait
    rank | INTEGER | rank
    moves | BOOLEAN | whether it copies data, such as aclrtMemcpy
    launch_slice_id | BIGINT | its thread's last launch or enqueue since the wait before, or NULL
    launches | BIGINT | calls of its thread that launched or enqueued since the wait before
    launches_after | BIGINT | such calls from it to the next wait, or to the end
    excluded | VARCHAR | why no step pays: profiler, after the last step, before the first step
    """,
    order=("slice_id",),
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

LOD = described(
    "lod",
    "A level-of-detail cell: a lane's busy time in [bucket << level, (bucket + 1) << level).",
    """
    track_id | BIGINT | the lane
    part | VARCHAR | only slices of this part; NULL for all slices of the lane
    level | SMALLINT | the cell is 2^level ns wide
    bucket | BIGINT | ts >> level
    busy | BIGINT | ns of the cell in which at least one slice runs
    count | BIGINT | slices that start in the cell; on lanes without slices stretches
    top_slice_id | BIGINT | slice with the most time of its own (not in nested slices) in the cell
    top_class | VARCHAR | class of that slice
    """,
    order=("level", "bucket", "track_id", "part"),
)

LANE_PART = described(
    "lane_part",
    "A row of the timeline: a lane, and each part of a stream or plane.",
    """
    track_id | BIGINT | the lane
    part | VARCHAR | only slices of this part; NULL for all slices of the lane
    slices | BIGINT | how many
    busy | BIGINT | ns in which at least one of them runs
    launches | BIGINT | device slices whose launch or enqueue is here, NULL on lanes of a device
    deepest | INTEGER | greatest depth, NULL without slices
    sublanes | INTEGER | sub-lanes up to the last with a slice of it, NULL without slices
    ts | BIGINT | first start, ns
    dur | BIGINT | from there to the last end
    finest | SMALLINT | finest level of its cells in lod
    coarsest | SMALLINT | coarsest level of its cells; wider ones are sums of these
    """,
    order=("track_id", "part"),
)

IMPORT_STAT = described(
    "import_stat",
    "What the reader noticed.",
    """
    rank | INTEGER | rank
    file | VARCHAR | file, relative to the profile
    name | VARCHAR | what was noticed
    severity | VARCHAR | info, data_loss or error
    count | BIGINT | how often
    first_offset | BIGINT | byte offset (JSON) or row (CSV) of the first, NULL if it has none
    sample | VARCHAR | the first one, shortened, or what to do
    """,
    order=("severity", "file", "name"),
)

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        PROFILE,
        TRACK,
        SLICE,
        SLICE_ARG,
        FLOW,
        COUNTER_SERIES,
        COUNTER,
        STEP,
        LEDGER,
        KERNEL,
        KERNEL_METRIC,
        LAUNCH_LINK,
        STALL,
        GAP,
        STRETCH,
        COLLECTIVE,
        PEER_ARRIVAL,
        EVENT_WAIT,
        HOST_SYNC,
        COPY,
        GROUP_MEMBER,
        LINK,
        OPERATOR_TOTAL,
        LOD,
        LANE_PART,
        IMPORT_STAT,
    )
}
"""Every table by name; a profile's CSV files add ``summary_<name>`` tables of their own."""

SUMMARY_PREFIX = "summary_"
