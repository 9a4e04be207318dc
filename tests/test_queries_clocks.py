"""How far the clocks of ranks are apart, told from their collectives."""

from pathlib import Path

from store_build import StoreBuilder, ask

from npuview.queries.rows import RankClocksRow


def test_the_clock_of_a_rank_is_told_from_the_ends_of_collectives(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path)
    names = ("hcom_allReduce__1_0_1", "hcom_allReduce__1_1_1", "hcom_allReduce__1_1_1")
    for rank, ahead in ((0, 0), (2, 3_000_000), (5, -70)):
        builder.rank(rank)
        for turn, name in enumerate(names):
            # Ranks arrive when they like, and leave together but for a little noise.
            late, noise = 100 * rank + 7 * turn, turn * rank
            end = 1_000_000 * turn + 900 + ahead + noise
            ts = 1_000_000 * turn + late + ahead
            builder.add(
                "collective", collective_id=turn, device_id=0, name=name, ts=ts, dur=end - ts
            )
    builder.rank(5).add("collective", collective_id=9, device_id=0, name="alone", ts=1, dur=1)
    store = builder.build()
    assert ask(store, "rank_clocks") == [
        RankClocksRow(2, 0, 3, 3_000_002, 4),
        RankClocksRow(5, 0, 3, -65, 10),
    ]
    assert ask(store, "rank_clocks", reference=2)[1] == RankClocksRow(5, 2, 3, -3_000_067, 6)


def test_ranks_without_a_collective_in_common_tell_nothing_of_their_clocks(tmp_path: Path) -> None:
    builder = StoreBuilder(tmp_path)
    for rank in (0, 1):
        builder.rank(rank).add(
            "collective", collective_id=1, device_id=0, name=f"hcom_{rank}", ts=0, dur=5
        )
    assert ask(builder.build(), "rank_clocks") == []
