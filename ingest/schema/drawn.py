"""What the timeline is drawn from: rows, stretches and cells of every width."""

from ..table import described

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
