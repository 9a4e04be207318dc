"""What findings say: in every language the same, and never more than is known."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from string import Formatter

import msgspec
import pytest
from finding_build import MS, RunBuilder, found, named
from row_build import row

from npuview.queries.findings import FIXED, QUESTIONS, Finding, rule_queries
from npuview.queries.rows import ProfilesRow
from npuview.queries.rules import Rule, shipped_rules
from npuview.tui.collect.hints import hints
from npuview.tui.draw.safe_text import cell_len
from npuview.tui.text.finding_text import Reading, finding_lines
from npuview.tui.text.terminal import Terminal
from npuview.tui.words.catalogue import FOLDER, Words, words_of
from npuview.tui.words.spoken import LANGUAGES, Language, language_of

FORBIDDEN = re.compile("间隙|步骤|发射|内核|(?<!流水)气泡")
"""Words that nobody in the field uses for a gap, step, launch and kernel."""

CAUSAL = re.compile(
    r"\b(because|caused?|causing|causes|due to|owing|blame|fault|makes? it|leads? to|results? in)\b"
    "|因为|导致|造成|引起|归咎"
)
BOUNDLESS = re.compile(
    r"\b(will save|saves|guarantee\w*|surely|always|never mind)\b|一定|必然|肯定"
)

PROFILE = row(ProfilesRow, rank=0, producer="torch_npu", level="Level1", switches="{}", device_id=0)


def texts(words: Words) -> dict[str, str]:
    """Return every text of a language by its path."""

    def walk(value: object, path: str) -> Iterator[tuple[str, str]]:
        if isinstance(value, dict):
            for name, one in value.items():  # pyright: ignore[reportUnknownVariableType]
                yield from walk(one, f"{path}.{name}")
        else:
            yield path, str(value)

    return dict(walk(msgspec.to_builtins(words), ""))


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def reading(language: Language) -> Reading:
    return Reading(words_of(language), {0: PROFILE}, 0)


def sentences() -> list[tuple[Rule, str | None]]:
    """Return every sentence there is, as its rule and variant."""
    return [
        (rule, variant)
        for rule in shipped_rules().rules
        for variant in (None, *words_of("en").rules[rule.name].variants)
    ]


def made_up(rule: Rule, variant: str | None) -> Finding:
    """Return a finding with a value of the right type for each of its columns."""
    samples = {"BIGINT": 7 * MS, "INTEGER": 5, "DOUBLE": 0.25, "VARCHAR": "model.py(7): forward"}
    columns = [one for one in rule_queries()[rule.sql].columns if one.name not in FIXED]
    return Finding(
        rule=rule,
        status=rule.status,
        variant=variant,
        severity="high",
        rank=0,
        device_id=0,
        step=3,
        steps=4,
        ns=40 * MS,
        period=400 * MS,
        ts=5 * MS,
        dur=MS,
        evidence=(1, 2),
        inferred=False,
        missing=None,
        values={one.name: samples[one.type] for one in columns},
        thresholds={},
    )


def test_all_languages_say_the_same_things_with_the_same_values() -> None:
    # English of these stands in the code: test_screen_words holds the others to it.
    in_code = (".screen", ".keys", ".places_of_keys")

    def compared(language: Language) -> dict[str, str]:
        said = texts(words_of(language))
        return {path: text for path, text in said.items() if not path.startswith(in_code)}

    english = compared("en")
    for language in LANGUAGES:
        other = compared(language)
        assert other.keys() == english.keys()
        for path, text in english.items():
            assert placeholders(other[path]) == placeholders(text), (language, path)
            assert bool(other[path]) == bool(text), (language, path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_in_two_files_of_a_language(language: Language) -> None:
    # The later file would silently give the text of the earlier one.
    told = [
        (table, name)
        for file in sorted((FOLDER / language).glob("*.toml"))
        for table, texts in tomllib.loads(file.read_text("utf-8")).items()
        for name in texts
    ]
    assert [one for one, count in Counter(told).items() if count > 1] == []


def test_every_rule_symptom_question_and_missing_thing_has_its_words() -> None:
    words, book = words_of("en"), shipped_rules()
    assert list(words.rules) == [name for name in words.rules if name]
    assert set(words.rules) == {rule.name for rule in book.rules}
    assert set(words.symptoms) == {symptom.name for symptom in book.symptoms}
    assert set(words.questions) == set(QUESTIONS)
    assert set(words.missing) <= set(hints())
    of_selects = {
        name
        for query in rule_queries().values()
        for name in hints()
        if re.search(rf"(THEN|TRUE,|FALSE,)\s+'{name}'", query.sql)
    }
    of_selects -= {one for text in words.rules.values() for one in text.variants}
    assert {"gc", "threads", "copies", "planes"} <= of_selects <= set(words.missing)
    assert {need for rule in book.rules for need in rule.needs} <= set(words.missing)


def test_every_variant_that_a_select_answers_has_its_words_and_no_other() -> None:
    for name, query in rule_queries().items():
        listed = {rule.name for rule in shipped_rules().rules if rule.sql == name}
        variants = {one for rule in listed for one in words_of("en").rules[rule].variants}
        for variant in variants:
            # The SELECT writes it out, or (here, absent, …) as the end of a CASE.
            assert f"'{variant}'" in query.sql, (name, variant)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("rule", "variant"), sentences(), ids=lambda one: getattr(one, "name", one)
)
def test_no_finding_claims_a_cause_without_evidence_scope_and_denominator(
    rule: Rule, variant: str | None, language: Language
) -> None:
    told, finding = reading(language), made_up(rule, variant)
    sentence, amount, scope = told.sentence(finding), told.amount(finding), told.scope(finding)
    # What is said is what can be seen. That one thing is why another is, nobody measured.
    assert not CAUSAL.search(sentence), sentence
    for text in (sentence, told.hint(finding), told.verify(finding)):
        assert text
        assert not BOUNDLESS.search(text), text
        assert "{" not in text
    # Denominator: the mean step, in ns and as a share. Scope: rank, steps and which one.
    assert "10.0 ms" in amount
    assert "100 ms" in amount
    assert "10.0 %" in amount
    assert all(part in scope for part in ("rank 0", "4", "3"))
    # Evidence: rows that a preset shows, and slices wherever something took time.
    assert finding.preset_params["rank"] == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cause_is_told_in_words_and_not_as_the_value_of_the_store(language: Language) -> None:
    words = words_of(language)
    with_cause = [
        made_up(rule, variant)
        for rule, variant in sentences()
        if "{cause}" in words.rules[rule.name].of(variant).sentence
    ]
    assert {one.rule.name for one in with_cause} >= {"lead_in", "tail", "pits", "event_wait"}
    for finding in with_cause:
        for cause, said in words.causes.items():
            one = replace(finding, values={**finding.values, "cause": cause})
            assert said in reading(language).sentence(one)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_conclusion_says_that_it_is_one(language: Language) -> None:
    told = reading(language)
    rule = next(rule for rule in shipped_rules().rules if rule.name == "copy_staging")
    finding = made_up(rule, None)
    word = words_of(language).words["inferred"]
    assert word in told.where(replace(finding, inferred=True))
    assert word not in told.where(finding)


def test_every_finding_of_something_that_took_time_has_slices_to_look_at(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank()
    run.stall("dataloader", 5, place="lead_in", stage="framework")
    run.stall("rank 5", 20, state="waiting_peer", place=None, peer=5)
    run.stall("wait_event", 4, state="waiting_event")
    run.kernel("MatMul", 30)
    found_here = [one for one in found(run.build()) if one.status == "found"]
    assert {one.rule.name for one in found_here} >= {"dataloader", "lead_in", "peer_wait"}
    for one in found_here:
        assert one.evidence, one.rule.name


def test_chinese_uses_the_words_of_the_field() -> None:
    for path, text in texts(words_of("zh")).items():
        assert not FORBIDDEN.search(text), (path, text)
    said = " ".join(texts(words_of("zh")).values())
    for word in (
        "迭代",
        "一级流水",
        "二级流水",
        "空闲",
        "慢卡",
        "通信未掩盖",
        "未采集",
        "收益上限",
    ):
        assert word in said


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"),
        ({"LC_ALL": "zh_TW", "LANG": "C"}, "zh"),
        ({"LC_ALL": "", "LANG": "zh"}, "zh"),
        ({"LANG": "C.UTF-8"}, "en"),
    ],
)
def test_the_language_is_that_of_the_messages_of_the_locale(
    environ: dict[str, str], language: str
) -> None:
    assert language_of(environ) == language


def test_names_of_the_profile_are_never_translated(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank().stall("dataloader", 5)
    one = named(found(run.build()), "dataloader")
    for language in LANGUAGES:
        assert "dataloader call" in reading(language).sentence(one)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [60, 100, 160])
def test_lines_fit_the_terminal_and_begin_with_what_is_at_stake(
    language: Language, width: int, tmp_path: Path
) -> None:
    run = RunBuilder(tmp_path).rank()
    run.stall("dataloader", 5, stage="framework").stall("alloc", 3, stage="framework")
    lines = list(finding_lines(found(run.build()), reading(language), Terminal(width=width)))
    collect = words_of(language).words["collect"].partition("{")[0]
    assert all(cell_len(line) <= width for line in lines if collect not in line)
    label = words_of(language).questions["idle"]
    numbered = [line for line in lines if line.startswith(label)]
    assert "8.00 ms" in numbered[0]
    assert "8.0 %" in numbered[0]


def test_the_line_that_collects_what_is_missing_can_be_copied(tmp_path: Path) -> None:
    run = RunBuilder(tmp_path).rank(lanes=("stream", "python"))
    told = reading("en")
    one = named(found(run.build()), "host_sync")
    assert told.collect(one).startswith("collect with: experimental_config=torch_npu.profiler.")
    assert told.hint(one) == told.amount(one) == ""
    assert told.sentence(one) == ("blocking calls: the host calls of CANN were not collected")


def test_what_is_not_known_is_left_out_of_a_sentence() -> None:
    rule = next(rule for rule in shipped_rules().rules if rule.name == "host_bound")
    whole = made_up(rule, None)
    bare = replace(whole, values={**whole.values, "line": None, "kernels": None})
    assert "at model.py(7): forward; 7.00 M kernels take" in reading("en").sentence(whole)
    assert reading("en").sentence(bare).endswith("Longest 7.00 ms")
