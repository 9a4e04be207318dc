"""The rules as data, and the file with which a person changes them."""

import os
from pathlib import Path

import pytest

from npuview.ingest.errors import UsageError
from npuview.ingest.toml_file import MOST_BYTES
from npuview.queries.rules import (
    LEAST_SHARE,
    Rule,
    RuleBook,
    Threshold,
    load_rules,
    shipped_rules,
    user_rules,
)


def rule(name: str, book: RuleBook | None = None) -> Rule:
    return next(one for one in (book or shipped_rules()).rules if one.name == name)


def written(folder: Path, text: str) -> Path:
    file = folder / "rules.toml"
    file.write_text(text)
    return file


def test_every_threshold_has_a_unit_and_a_reason() -> None:
    book = shipped_rules()
    every = [*book.shared.values(), *(one for r in book.rules for one in r.thresholds.values())]
    assert all(one.unit and one.source for one in every)
    assert book.severity.unit
    assert book.severity.source


def test_severity_is_by_the_share_of_the_step() -> None:
    severity = shipped_rules().severity
    assert [severity.of(share) for share in (0.1, 0.03, 0.02)] == ["high", "medium", "low"]


def test_a_chip_has_the_value_of_the_longest_beginning_of_its_name() -> None:
    threshold = Threshold(5, "ns", "why", {"910B": 6, "910B4": 7})
    values = [threshold.on(chip) for chip in ("910B4-1", "910B3", "310P", None)]
    assert values == [7, 6, 5, 5]


@pytest.mark.parametrize("chip", ["910B4", "Ascend910B4", "Ascend 910B4-1"])
def test_a_chip_may_have_the_name_that_its_driver_gives_it(chip: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text(f'chip = "{chip}"')
    book = load_rules(file)
    [rule] = [one for one in book.rules if one.name == "unfused"]
    assert book.value(rule, "bytes_per_s") == 800_000_000_000


def test_without_a_file_the_shipped_rules_hold(tmp_path: Path) -> None:
    assert load_rules(None) is load_rules(tmp_path / "none.toml") is shipped_rules()


def test_a_file_changes_a_threshold_of_one_rule_or_of_all(tmp_path: Path) -> None:
    text = """
        chip = "910B3"
        [thresholds]
        least_share = 0.02
        [rules.H4]
        least_bytes = 4_000_000
        [rules.host_sync]
        least_share = 0.05
        [rules.W17]
        off = true
    """
    book = load_rules(written(tmp_path, text))
    assert book.chip == "910B3"
    assert book.value(rule("small_packets"), "least_bytes") == 4_000_000
    assert book.value(rule("small_packets"), LEAST_SHARE) == 0.02
    assert book.value(rule("host_sync"), LEAST_SHARE) == 0.05
    assert "aicpu" not in [one.name for one in book.active]
    assert len(book.active) == len(book.rules) - 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules = ", "(at end of document); correct it there, or do without the file"),
        ("chip = " + "9" * 5_000, "is no TOML: a number has too many digits"),
        ("rule = 1", "rule: no such key; did you mean rules?"),
        ("chip = 910", "chip: 910 is no name; write it in quotes"),
        ('chip = "910Z"', "chip: nothing is known of '910Z', but of 310P, 910B1"),
        ("[thresholds]\nleast_shares = 1", "thresholds.least_shares: no such key; did you mean"),
        ("[rules.W99]\noff = true", "rules.W99: no such key; did you mean W9?"),
        ("[rules.W9]\noff = 1", "rules.W9.off: 1 is neither true nor false"),
        ("[rules.W9]\nof = true", "rules.W9.of: no such key; did you mean off?"),
        (
            "[rules.W9]\nleast_bytes = 1",
            "rules.W9.least_bytes: no such key; did you mean least_share?",
        ),
        ('[rules.W9]\nleast_share = "1 %"', "rules.W9.least_share: '1 %' is no number from 0 on"),
        ("[rules.W9]\nleast_share = true", "rules.W9.least_share: True is no number"),
        ("[rules.W9]\nleast_share = -1", "rules.W9.least_share: -1 is no number"),
        ("[rules.W9]\nleast_share = nan", "rules.W9.least_share: nan is no number"),
        ("rules.W9 = 0.1", "rules.W9: 0.1 is no table; write [rules.W9] above its values"),
        ("thresholds = 1", "thresholds: 1 is no table"),
    ],
)
def test_a_mistake_is_told_with_file_key_and_what_to_try(
    text: str, said: str, tmp_path: Path
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(UsageError) as refused:
        load_rules(file)
    assert str(refused.value).startswith(f"{file}:")
    assert said in str(refused.value)


def test_a_file_that_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_bytes(b'chip = "a"\n\xff')
    with pytest.raises(UsageError, match=":2: is not UTF-8"):
        load_rules(file)
    file.write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(UsageError, match="larger than"):
        load_rules(file)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="cannot be read"):
        load_rules(tmp_path / "pipe")


def test_the_file_lies_beside_the_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert user_rules() == tmp_path / "npuview" / "rules.toml"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert user_rules() == tmp_path / ".config" / "npuview" / "rules.toml"
