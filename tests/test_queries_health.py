"""What the reader noticed, and what a profile does not hold."""

from pathlib import Path

from store_build import StoreBuilder, ask

from npuview.queries.rows import HealthRow


def whole_profile(tmp_path: Path) -> StoreBuilder:
    """A profile in which nothing is missing, and nothing was noticed."""
    return (
        StoreBuilder(tmp_path)
        .rank(2)
        .add("profile", rank_known=True)
        .add("step", step=1, kind="train", ts=0, dur=1)
        .add("track", track_id=1, kind="stream")
        .add("track", track_id=2, kind="python")
        .add("track", track_id=3, kind="cann")
        .add("kernel", kernel_id=1, name="a", ts=0, dur=1, input_shapes="1", aiv_vec_ratio=0.5)
        .add("launch_link", slice_id=1, launch_ts=0, method="flow", inferred=False)
        .add("collective", collective_id=1, name="c", ts=0, dur=1, transfer_ns=1)
        .add("counter_series", series_id=1, track_id=1, name="APP", key="k", unit="bytes")
    )


def missing(builder: StoreBuilder) -> list[str]:
    return [row.name for row in ask(builder.build(), "health") if row.kind == "missing"]


def test_a_whole_profile_lacks_nothing(tmp_path: Path) -> None:
    assert ask(whole_profile(tmp_path).build(), "health") == []


def test_an_empty_profile_lacks_all_that_it_could_have(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(2).add("profile", rank_known=True)
    assert missing(builder) == ["cann", "kernels", "memory", "python", "steps", "streams"]


def test_a_run_without_marks_has_no_steps(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path).rank(2).add("profile", rank_known=True)
    builder.add("step", step=0, kind="run", ts=0, dur=1)
    assert "steps" in missing(builder)


def test_level0_lacks_shapes_units_launches_and_planes(tmp_path: Path) -> None:
    builder = (
        StoreBuilder(tmp_path)
        .rank(0)
        .add("profile", rank_known=True)
        .add("step", step=1, kind="train", ts=0, dur=1)
        .add("track", track_id=1, kind="stream")
        .add("track", track_id=2, kind="python")
        .add("track", track_id=3, kind="cann")
        .add("kernel", kernel_id=1, name="a", ts=0, dur=1)
        .add("collective", collective_id=1, name="c", ts=0, dur=1)
        .add("counter_series", series_id=1, track_id=1, name="APP", key="k", unit="bytes")
    )
    assert missing(builder) == ["launches", "planes", "shapes", "units"]


def test_the_worst_findings_come_first(tmp_path: Path) -> None:
    builder = whole_profile(tmp_path)
    for severity, file, name in (
        ("info", "a.csv", "skipped"),
        ("data_loss", "b.json", "truncated"),
        ("error", "b.json", "event_malformed"),
    ):
        builder.add(
            "import_stat",
            file=file,
            name=name,
            severity=severity,
            count=3,
            first_offset=17,
            sample="{",
        )
    store = builder.build()
    rows = ask(store, "health")
    assert [row.severity for row in rows] == ["error", "data_loss", "info"]
    assert rows[0] == HealthRow(2, "import", "error", "b.json", "event_malformed", 3, 17, "{")
    assert [row.name for row in ask(store, "health", severity="data_loss")] == ["truncated"]
    assert ask(store, "health", rank=7) == []
