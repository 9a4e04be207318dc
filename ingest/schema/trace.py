"""What a trace records: profiles, lanes, slices, arrows and counters, and what was not read."""

from ..table import described
from .words import SLICE_CLASSES, SLICE_PARTS, TRACK_KINDS

PROFILE = described(
    "profile",
    "A rank's profile.",
    """
    rank | INTEGER | rank in the job; the ordinal in the store where the profile does not say
    rank_known | BOOLEAN | whether the profile itself names its rank
    world_size | INTEGER | ranks in the job, NULL if the profile does not say
    device_id | INTEGER | the NPU, NULL if unknown
    host | VARCHAR | host name, NULL if unknown
    cube_cores | INTEGER | AI or cube cores of the NPU, NULL if the profile does not say
    vector_cores | INTEGER | its vector cores, 0 on a chip with one kind of core, NULL as before
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
