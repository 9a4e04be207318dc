"""Where a device does not work, and why: the ledger, stalls, gaps, waits and the calls behind."""

from ..table import described
from .words import IDLE_CAUSES, LEDGER_STATES, STEP_PHASES

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

GAP_TOTAL = described(
    "gap_total",
    "Totals of the gaps of a kind and cause in a step.",
    """
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    step | INTEGER | step that holds their middle, NULL outside all steps
    kind | VARCHAR | device or compute, as in gap
    cause | VARCHAR | what takes most of each, as in gap
    count | BIGINT | gaps
    total | BIGINT | sum of their lengths, ns
    longest | BIGINT | the longest of them, ns
    """,
    order=("step", "total"),
)

QUEUE_GAP = described(
    "queue_gap",
    "Totals of the gaps of kind device whose next task was launched before, by what ran before.",
    """
    rank | INTEGER | rank
    device_id | INTEGER | the NPU
    before | VARCHAR | AI Core, else the Task Type or class of the task before
    count | BIGINT | gaps
    total | BIGINT | sum of their lengths, ns
    min | BIGINT | the shortest, ns
    median | BIGINT | the median, ns
    max | BIGINT | the longest, ns
    cluster_from_ns | BIGINT | the shortest of the cluster: 3/4 to 4/3 of the median
    cluster_to_ns | BIGINT | the longest of the cluster
    cluster_count | BIGINT | gaps of the cluster
    cluster_ns | BIGINT | sum of their lengths, ns
    """,
    order=("device_id", "before"),
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
