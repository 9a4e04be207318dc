"""What can be done where, and by which keys: the one table of it.

Bindings, the footer, the help and ``npuview config keys`` are all made from it by
``keys.py``. A key does one thing at a place, and nothing that is global is hidden by a
place. Letters come first: over SSH, tmux and PuTTY take or change many of the others.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done by a key.

    ``id`` is ``place.name``; ``keys`` are in Textual's names, split by commas, and the
    first one is shown. ``show`` is the rank in the footer, 1 stays longest, None is
    never there. Actions of a place with the same label are one entry of the footer.
    """

    id: str
    keys: str
    label: str
    about: str
    show: int | None = None
    wide_label: str = ""
    """The label where there is room for a longer one."""
    call: str = ""
    """Textual's action, where it is not the name in the id."""

    @property
    def where(self) -> str:
        """Return the place at which the keys work."""
        return self.id.partition(".")[0]

    @property
    def action(self) -> str:
        """Return the action as a binding names it."""
        return self.call or self.id.partition(".")[2]


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

ACTIONS = (
    Action("global.overview", "1", "overview", "Show the overview.", call="show_view('overview')"),
    Action("global.timeline", "2", "timeline", "Show the timeline.", call="show_view('timeline')"),
    Action("global.top", "3", "top", "Show the operators by time.", call="show_view('top')"),
    Action("global.gaps", "4", "gaps", "Show the gaps.", call="show_view('gaps')"),
    Action("global.sql", "5", "SQL", "Ask in SQL.", call="show_view('sql')"),
    Action(
        "global.compare",
        "6",
        "compare",
        "Hold this run against another one.",
        call="show_view('compare')",
    ),
    Action(
        "global.other_run",
        "equals_sign",
        "other run",
        "Go to the same place of the other run, and back.",
    ),
    Action("global.steps", "S", "steps", "Show the steps.", call="show_view('steps')"),
    Action("global.memory", "M", "memory", "Show who holds memory.", call="show_view('memory')"),
    Action("global.next_step", "greater_than_sign", "step", "Go to the next step."),
    Action("global.previous_step", "less_than_sign", "step", "Go to the step before."),
    Action("global.next_rank", "R", "rank", "Go to the next rank, if there are several."),
    Action("global.goto", "g", "go to", "Go to a step or a place in time."),
    Action("global.bookmark", "b", "bookmark", "Keep this place under a name."),
    Action("global.bookmarks", "B", "bookmarks", "List the places kept."),
    Action("global.maximize", "z", "maximize", "Give the panel the whole screen, and back."),
    Action("global.copy", "y", "copy", "Copy what is selected.", 8),
    Action("global.export", "e", "export", "Write what is selected into a file.", 9),
    Action("global.back", "escape", "back", "Go back one level.", 10),
    Action(
        "global.palette",
        "colon,ctrl+p",
        "commands",
        "Find a command by its name.",
        call="command_palette",
    ),
    Action(
        "global.next_panel",
        "tab",
        "panel",
        "Go to the next panel.",
        7,
        wide_label="next panel",
        call="focus_next",
    ),
    Action(
        "global.previous_panel",
        "shift+tab",
        "back panel",
        "Go to the panel before.",
        call="focus_previous",
    ),
    Action("global.search", "slash", "search", "Search names in the whole step.", 6),
    Action("global.next_hit", "n", "hit", "Go to the next hit of the search."),
    Action("global.previous_hit", "N", "hit", "Go to the hit before."),
    Action("global.help", "question_mark,f1", "keys", "Show the keys that work here.", 1),
    Action("global.quit", "q,ctrl+q", "quit", "Leave npuview.", 1),
    Action("table.cursor_down", "j,down", "row", "Go one row down."),
    Action("table.cursor_up", "k,up", "row", "Go one row up."),
    Action("table.page_down", "pagedown", "page", "Go one page down."),
    Action("table.page_up", "pageup", "page", "Go one page up."),
    Action("table.first", "home", "first", "Go to the first row."),
    Action("table.last", "end", "last", "Go to the last row."),
    Action("table.sort", "o", "sort", "Sort by the next column.", 4),
    Action("table.filter", "ampersand", "filter", "Show only rows with a text.", 6),
    Action(
        "overview.open",
        "enter",
        "timeline",
        "Show what is selected in the timeline.",
        1,
        wide_label="show in timeline",
    ),
    Action(
        "overview.idle",
        "i",
        "open",
        "Open the gaps and their causes.",
        2,
        wide_label="open question",
    ),
    Action(
        "overview.waits",
        "w",
        "open",
        "Open what the device waits for.",
        2,
        wide_label="open question",
    ),
    Action(
        "overview.moves", "m", "open", "Open transfers and copies.", 2, wide_label="open question"
    ),
    Action("overview.rows", "r", "rows", "Ask in SQL for the rows behind the finding."),
    Action(
        "overview.evidence",
        "v",
        "evidence",
        "Show in the timeline the slice that shows the finding.",
    ),
    Action(
        "overview.card",
        "c",
        "run card",
        "Type in a step without a profiler, and what was run.",
    ),
    Action("overview.cursor_down", "j,down", "row", "Go one row down."),
    Action("overview.cursor_up", "k,up", "row", "Go one row up."),
    Action(
        "steps.open", "enter", "open", "Make this the step of all views.", 1, wide_label="open step"
    ),
    Action(
        "steps.next_outlier",
        "right_curly_bracket",
        "outlier",
        "Go to the next step that took unusually long.",
        2,
    ),
    Action(
        "steps.previous_outlier",
        "left_curly_bracket",
        "outlier",
        "Go to the step before that took unusually long.",
        2,
    ),
    Action("timeline.open", "enter", "details", "Open the details of the selected slice.", 1),
    Action("timeline.zoom_in", "w,plus", "zoom", "Show less time, larger.", 2),
    Action("timeline.zoom_out", "s,minus", "zoom", "Show more time, smaller.", 2),
    Action("timeline.pan_left", "a,left,h", "pan", "Go back in time.", 2),
    Action("timeline.pan_right", "d,right,l", "pan", "Go on in time.", 2),
    Action("timeline.page_left", "A,shift+left", "page", "Go back by one window."),
    Action("timeline.page_right", "D,shift+right", "page", "Go on by one window."),
    Action("timeline.lane_down", "j,down", "lane", "Go to the lane below.", 4),
    Action("timeline.lane_up", "k,up", "lane", "Go to the lane above.", 4),
    Action("timeline.lanes_down", "pagedown", "lanes", "Go down by one screen of lanes."),
    Action("timeline.lanes_up", "pageup", "lanes", "Go up by one screen of lanes."),
    Action("timeline.next_slice", "full_stop", "slice", "Go to the next slice of the lane.", 5),
    Action("timeline.previous_slice", "comma", "slice", "Go to the slice before.", 5),
    Action(
        "timeline.next_gap",
        "right_curly_bracket",
        "gap",
        "Go to the next gap over the threshold.",
        3,
    ),
    Action(
        "timeline.previous_gap",
        "left_curly_bracket",
        "gap",
        "Go to the gap before that is over the threshold.",
        3,
    ),
    Action(
        "timeline.next_by_cost",
        "right_parenthesis",
        "cost",
        "Go to the gap that costs next less, first the longest.",
    ),
    Action(
        "timeline.previous_by_cost",
        "left_parenthesis",
        "cost",
        "Go to the gap that costs next more.",
    ),
    Action(
        "timeline.follow",
        "right_square_bracket",
        "flow",
        "Go from a launch to its task, from a gap to its end.",
        7,
    ),
    Action(
        "timeline.follow_back",
        "left_square_bracket",
        "flow",
        "Go from a device task or a gap back to the host launch.",
        7,
    ),
    Action("timeline.measure", "m", "measure", "Mark the extent of what is selected.", 8),
    Action("timeline.range", "v", "range", "Begin a range at the cursor; again to end it."),
    Action("timeline.fit_selection", "f", "fit", "Fit the window to the selection."),
    Action("timeline.fit_all", "0", "all", "Show the whole step, then the whole run."),
    Action("timeline.same_name", "asterisk", "like it", "Mark all slices of the same name."),
    Action("timeline.parent", "u", "parent", "Go to the slice around this one."),
    Action("timeline.sublanes", "V", "sub-lanes", "Open or close the sub-lanes of the lane."),
    Action("timeline.threshold", "t", "threshold", "Set the length from which a gap counts."),
    Action("top.open", "enter", "calls", "Open the calls of the operator.", 1),
    Action("top.group", "T", "group", "Group by type, core, shape, data type, stream or name.", 2),
    Action("compare.open", "enter", "timeline", "Show the shared place in the timeline.", 1),
    Action("compare.other", "x", "other", "Hold this run against another one.", 2),
    Action("calls.open", "enter", "details", "Open the details of the call.", 1),
    Action(
        "gaps.open",
        "enter",
        "timeline",
        "Show the gap in the timeline.",
        1,
        wide_label="show in timeline",
    ),
    Action(
        "gaps.cause",
        "c",
        "cause",
        "Show only gaps of the next cause.",
        2,
        wide_label="cause filter",
    ),
    Action("gaps.next_by_cost", "right_parenthesis", "cost", "Go to the gap that costs next less."),
    Action(
        "gaps.previous_by_cost", "left_parenthesis", "cost", "Go to the gap that costs next more."
    ),
    Action("gaps.threshold", "t", "threshold", "Set the length from which a gap counts.", 6),
    Action(
        "gaps.group",
        "T",
        "group",
        "Sum by cause, next task or line of Python, and back.",
        3,
    ),
    Action(
        "gaps.kind",
        "K",
        "kind",
        "Change between gaps of the device and gaps in computing.",
        7,
    ),
    Action(
        "gaps.evidence",
        "v",
        "evidence",
        "Show in the timeline the slice that shows the cause.",
        4,
    ),
    Action("gaps.line", "p", "line", "Show the line of Python that asked for the next task.", 5),
    Action(
        "gaps.host",
        "h",
        "host lane",
        "Show the thread that launched what ended the gap.",
        5,
    ),
    Action(
        "waits.open",
        "enter",
        "timeline",
        "Show the wait in the timeline.",
        1,
        wide_label="show in timeline",
    ),
    Action(
        "moves.open",
        "enter",
        "timeline",
        "Show the transfer in the timeline.",
        1,
        wide_label="show in timeline",
    ),
    Action(
        "memory.open",
        "enter",
        "timeline",
        "Show in the timeline when the largest was taken.",
        1,
        wide_label="show in timeline",
    ),
    Action("memory.peak", "p", "peak", "Go to the peak.", 2),
    Action("memory.left", "h,left", "time", "Go back in time along the curve.", 3),
    Action("memory.right", "l,right", "time", "Go on in time along the curve.", 3),
    Action("memory.component", "c", "whose", "Show the memory of the next component.", 4),
    Action("memory.group", "T", "one by one", "List single allocations, and back.", 5),
    Action(
        "details.open",
        "enter",
        "timeline",
        "Show the slice in the timeline.",
        1,
        wide_label="show in timeline",
    ),
    Action("details.next_call", "full_stop", "call", "Go to the next call of the operator.", 2),
    Action("details.previous_call", "comma", "call", "Go to the call before.", 2),
    Action(
        "details.phases",
        "p",
        "phases",
        "Show the phases as a table, and back.",
        3,
        wide_label="phase table",
    ),
    Action(
        "details.follow",
        "right_square_bracket",
        "flow",
        "Follow the arrow from the host launch to the device.",
        4,
    ),
    Action(
        "details.follow_back",
        "left_square_bracket",
        "flow",
        "Follow the arrow from the device back to the host launch.",
        4,
    ),
    Action("details.row_down", "j,down", "row", "Go one row down."),
    Action("details.row_up", "k,up", "row", "Go one row up."),
    Action("details.page_down", "pagedown", "page", "Go one page down."),
    Action("details.page_up", "pageup", "page", "Go one page up."),
    Action("details.parent", "u", "parent", "Go to the slice around this one."),
    Action("details.full_args", "x", "args", "Show all args of the slice."),
    Action("sql.open", "enter", "timeline", "Show the row in the timeline, by its id or ts.", 5),
    Action("sql.run", "ctrl+j,f5", "run", "Run the statement.", 1),
    Action("sql.presets", "ctrl+o", "questions", "Choose one of the questions that are there.", 2),
    Action("sql.save", "ctrl+s", "save", "Save the statement as a question.", 4),
    Action("sql.tables", "t", "tables", "Show the tables and their columns.", 3),
    Action("sql.column_left", "h,left", "columns", "Go to the columns further left."),
    Action("sql.column_right", "l,right", "columns", "Go to the columns further right."),
    Action("sql.parameters", "p", "values", "Ask again with other values of its parameters.", 7),
    Action("sql.units", "u", "units", "Show numbers as they are stored, and back with units."),
    Action("editor.older", "ctrl+up", "history", "Bring back an older statement."),
    Action("editor.newer", "ctrl+down", "history", "Bring back a newer statement."),
    Action("questions.accept", "enter", "ask", "Ask the question under the cursor.", 1),
    Action("questions.close", "escape", "close", "Close the list and ask nothing.", 1),
    Action("questions.down", "down", "question", "Go to the next question.", 2),
    Action("questions.up", "up", "question", "Go to the question before.", 2),
    Action("questions.page_down", "pagedown", "page", "Go one page down."),
    Action("questions.page_up", "pageup", "page", "Go one page up."),
    Action("parameters.accept", "enter", "ask", "Ask with these values.", 1),
    Action("parameters.close", "escape", "close", "Close the dialog and ask nothing.", 1),
    Action("parameters.down", "down", "value", "Go to the next value.", 2),
    Action("parameters.up", "up", "value", "Go to the value before.", 2),
    Action("card.accept", "enter", "keep", "Keep the card beside the places of this profile.", 1),
    Action("card.close", "escape", "close", "Close the dialog and change nothing.", 1),
    Action("card.down", "down", "field", "Go to the next field.", 2),
    Action("card.up", "up", "field", "Go to the field before.", 2),
    Action("dialog.accept", "enter", "do it", "Do what the dialog asks.", 1),
    Action("dialog.close", "escape", "close", "Close the dialog and change nothing.", 1),
    Action("help.down", "j,down", "scroll", "Go one row down.", 2),
    Action("help.up", "k,up", "scroll", "Go one row up.", 2),
    Action("help.page_down", "pagedown,space", "page", "Go one page down."),
    Action("help.page_up", "pageup", "page", "Go one page up."),
    Action("help.close", "escape,question_mark,f1,q", "close", "Close the help.", 1),
    Action("palette.accept", "enter", "do it", "Do the command.", 1),
    Action("palette.down", "down", "choose", "Go to the next command.", 2),
    Action("palette.up", "up", "choose", "Go to the command before.", 2),
    Action("palette.page_down", "pagedown", "page", "Go one page down."),
    Action("palette.page_up", "pageup", "page", "Go one page up."),
    Action("palette.close", "escape", "close", "Do nothing.", 1),
    Action("bookmarks.accept", "enter", "go there", "Go to the bookmark.", 1),
    Action("bookmarks.note", "n", "note", "Write a note to the bookmark.", 2),
    Action("bookmarks.delete", "d", "delete", "Delete the bookmark.", 2),
    Action("bookmarks.close", "escape,q", "close", "Close the list.", 1),
)
"""Every action, in the order of the footer and of the help."""
