"""What the SQL view does with questions: finds, asks for their values, keeps new ones."""

from collections.abc import Callable, Mapping
from pathlib import Path

from ...ingest.errors import NpuviewError
from ...queries.catalog import Catalog, load_catalog, project_presets, user_presets
from ...queries.query import Query
from ..answers import Answers
from ..dialogs.parameters import Parameters
from ..dialogs.questions import Questions
from ..draw.safe_text import clean
from ..sql.parameters import known_values, read_times
from ..sql.preset_file import save_preset
from ..sql.typed_query import typed_query, without_value
from ..words.spoken import say
from .view import View

Chosen = Callable[[Query], None]
Run = Callable[[Query, Mapping[str, str]], None]
"""Runs a question with the values of its parameters, as text."""


class SqlQuestions:
    """The questions of a view, and the values that each of them was given last."""

    def __init__(self, view: View, run: Run) -> None:
        self._view = view
        self._run = run
        self._given: dict[str, dict[str, str]] = {}

    @property
    def origin(self) -> int:
        """Return the instant from which times in values count, ns: the start of the step."""
        return self._view.desk.run_facts.origin(self._view.desk.place)

    def values(self, name: str) -> dict[str, str]:
        """Return the values that were given last to the question of a name."""
        return dict(self._given.get(name, {}))

    def give(self, name: str, values: Mapping[str, str]) -> None:
        """Note the values of a question, instead of those that it was given before."""
        self._given[name] = dict(values)

    def forget(self, name: str) -> None:
        """Forget the values of a question."""
        self._given.pop(name, None)

    def choose(self, chosen: Chosen) -> None:
        """Let a question be chosen from a list."""
        view = self._view
        self._with_catalog(
            lambda catalog: view.desk.ask_dialog(Questions(view.look, catalog), chosen)
        )

    def find(self, name: str, chosen: Chosen) -> None:
        """Hand over the question of a name; say so if there is none."""
        self._with_catalog(lambda catalog: chosen(catalog[name]))

    def ask(self, query: Query) -> None:
        """Run a question with the values that it was given last, or ask for them."""
        values = self.values(query.name)
        if without_value(query, values):
            self.ask_values(query)
        else:
            self._run(query, values)

    def ask_values(self, query: Query) -> None:
        """Ask for the values of a question, if it takes any, and run it."""
        if not query.params:
            self._run(query, {})
            return
        view = self._view

        def check(values: dict[str, str]) -> None:
            query.bind(read_times(query, values, lambda: self.origin))

        def take(values: dict[str, str]) -> None:
            self._given.setdefault(query.name, {}).update(values)
            self._run(query, values)

        given = {**self.values(query.name), **known_values(query, view.desk.place)}
        view.desk.ask_dialog(Parameters(view.look, query, given, check), take)

    def save(self, text: str, preset: Query | None) -> None:
        """Ask for a name and keep a statement under it; ``preset`` is what it was made of.

        A question of one's own is replaced under its own name only.
        """
        own = preset.name if preset is not None and preset.origin == "user" else ""

        def taken(title: str) -> None:
            if title.strip():
                self._save(title.strip(), text, replace=title.strip() == own)

        self._view.desk.ask_text(say("save_question"), taken, text=own)

    def _save(self, title: str, text: str, *, replace: bool) -> None:
        view, directory = self._view, user_presets()
        if directory is None:
            view.desk.say(say("no_home"), serious=True)
            return

        def work(answers: Answers) -> Path:
            return save_preset(
                title, typed_query(answers.session, text), directory, replace=replace
            )

        def saved(file: Path) -> None:
            view.desk.say(say("question_saved", file=clean(str(file))))

        view.ask(work, saved, channel="save")

    def _with_catalog(self, then: Callable[[Catalog], None]) -> None:
        """Load the questions, which reads files, and go on with them."""
        view = self._view
        source = Path(view.desk.answers.session.store.source)

        def work(_: Answers) -> Catalog:
            return load_catalog(user=user_presets(), project=project_presets(source))

        def show(catalog: Catalog) -> None:
            try:
                then(catalog)
            except NpuviewError as error:
                view.failed(error)

        view.ask(work, show, channel="catalog")
