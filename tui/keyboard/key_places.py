"""Where keys work: the places the focus can be at, and what each of them shows."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere the focus can be: ``about`` says what it shows, for the help."""

    title: str
    about: str
    around: tuple[str, ...] = ("global",)
    """The places whose keys work here too, the nearest first."""
    typing: bool = False
    """Whether characters are text here, so that only other keys work."""


IN_TABLE = ("table", "global")

PLACES = {
    "global": Place("Everywhere", "Keys that work in every view.", around=()),
    "table": Place("Tables", "Keys that work in every table."),
    "overview": Place(
        "Overview",
        "How the step splits into computing, waiting, moving and idle, and where to look."
        " Every figure leads to its place in the timeline.",
    ),
    "steps": Place(
        "Steps",
        "Every step with its time and its parts. The one that is opened is that of all views.",
        IN_TABLE,
    ),
    "timeline": Place(
        "Timeline",
        "What ran when, one lane a stream or thread. Ink is busy time: a cell is full only if"
        " nothing was free in it.",
    ),
    "top": Place(
        "Top",
        "The operators with the most time. Every row is all calls of one, or of another group.",
        IN_TABLE,
    ),
    "calls": Place(
        "Calls",
        "Every call of one operator. Outliers (!) take twice the median and lie 1.5 times the"
        " distance of the quartiles over the upper one.",
        IN_TABLE,
    ),
    "gaps": Place(
        "Gaps",
        "When the device had nothing to do. Every row is a time between two tasks.",
        IN_TABLE,
    ),
    "waits": Place(
        "Waiting",
        "What the device waited for: other ranks and events. Whoever came last is named.",
        IN_TABLE,
    ),
    "moves": Place(
        "Moving",
        "Transfers and copies that no computing hides. Their rates tell what could be faster.",
        IN_TABLE,
    ),
    "memory": Place(
        "Memory",
        "How much of the device's memory is held, and by whom at the cursor. The line is what"
        " the allocator has reserved.",
        IN_TABLE,
    ),
    "details": Place(
        "Details",
        "One slice: its time, its phases, its shapes, its launch. What is not known says why.",
    ),
    "sql": Place(
        "SQL",
        "A question of your own, and its answer. It can only read what is in the store.",
        IN_TABLE,
    ),
    "compare": Place(
        "Compare",
        "This run held against another one. What changed by more than noise comes first.",
        IN_TABLE,
    ),
    "linked": Place(
        "Both timelines",
        "A above and B below, at the same time since the start of their steps. Whatever moves"
        " one moves the other.",
    ),
    "editor": Place(
        "SQL editor", "The statement; esc leaves it for its answer.", ("sql", "global"), typing=True
    ),
    "dialog": Place("Dialogs", "A question that waits for its answer.", around=(), typing=True),
    "questions": Place(
        "Questions", "What can be asked; letters narrow the list down.", around=(), typing=True
    ),
    "parameters": Place("Parameters", "What a question is asked about.", around=(), typing=True),
    "card": Place(
        "Run card",
        "What a person knows of the run and no profile can hold.",
        around=(),
        typing=True,
    ),
    "help": Place("Help", "The keys that work at a place.", around=()),
    "palette": Place("Commands", "Commands by a few of their letters.", around=(), typing=True),
    "bookmarks": Place("Bookmarks", "Places that you kept.", around=()),
}
