"""Arenas that play first what says most about the ranking: how often, and what that costs."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from math import ceil
from pathlib import Path
from statistics import fmean
from typing import Any, cast

import numpy as np
import pytest
from test_growing_arenas import NO_CUBE, RIGHT, STRENGTHS, Simulated, bots, play, ranking_of, save

import arena_calls
from gammonrules import arena
from gammonrules.arena._ranking import Ranking

__all__ = ["save"]


class TestRanked:
    def test_it_needs_fewer_games_than_each_against_each(self) -> None:
        """For the same ranking, as clear, of bots whose strengths are known, and looked at as often."""
        needed, of_all = 0, 0
        for seed in range(3):
            run, pairs = Simulated(STRENGTHS, seed, 40_000), 1
            results = play(workers=run, games=60_000, until="ranked")
            assert (results.unclear, ranking_of(results)) == ((), RIGHT)
            needed += sum(pairing.games for pairing in results.pairings)
            while any(Ranking(cast("Any", {both: each[:pairs] for both, each in run.values.items()}), None).unclear()):
                pairs = ceil(pairs * 1.25)
                assert pairs < 40_000
            of_all += 2 * pairs * len(run.values)
        assert needed / of_all < 0.6

    def test_it_follows_from_the_results_alone(self, save: Path) -> None:
        """Not from how many games are begun ahead. One that was interrupted goes on, and counts all that was played."""
        until: dict[str, Any] = {"until": "ranked", "games": 4_000}
        whole = play(**until)
        assert whole.unclear == ()
        assert play(**until, workers=Simulated(STRENGTHS, ahead=50)) == whole
        played = 0

        def stop(running: arena.Progress) -> None:
            nonlocal played
            played = running.finished
            if played in {100, 700}:
                raise KeyboardInterrupt

        for _ in range(2):
            with suppress(KeyboardInterrupt):
                play(save, **until, progress=stop)
        run = Simulated(STRENGTHS)
        results = play(save, **until, workers=run)
        assert results.unclear == ()
        assert sum(pairing.games for pairing in results.pairings) == 700 + 2 * len(run.blocks)
        assert play(save, **until, workers=Simulated({})) == results

    def test_it_spends_time(self, save: Path) -> None:
        """Of seven bots, the fast ones play more; and a file repeats what was chosen."""
        strengths = dict(zip("ABCDEFG", (0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3), strict=True))
        run = Simulated(strengths, seconds=(0.01, 0.01, 0.01, 0.3, 0.3, 3, 3))
        settings: dict[str, Any] = {"players": bots(strengths), "rules": NO_CUBE, "until": "ranked"}
        last = list[arena.Progress]()

        def stop(running: arena.Progress) -> None:
            last.append(running)
            if run.spent > 840:
                raise KeyboardInterrupt

        with suppress(KeyboardInterrupt):
            arena_calls.play(**settings, workers=run, save=save, progress=stop)
        pairings = last[-1].results().pairings
        fast = {*"ABC"}
        of_fast = [pairing.games for pairing in pairings if {*pairing.players} <= fast]
        of_slow = [pairing.games for pairing in pairings if not fast & {*pairing.players}]
        assert 0 < 2 * max(of_slow) < min(of_fast)
        ended = arena_calls.play(**settings, games=2, workers=run, save=save)
        assert [pairing.games for pairing in ended.pairings] == [pairing.games for pairing in pairings]


@pytest.mark.long
@pytest.mark.parametrize("seconds", [(), (0.1, 0.3, 1, 3), (3, 0.1, 0.1, 1)])
def test_what_a_ranking_says_is_wrong_as_seldom_as_it_says(seconds: tuple[float, ...]) -> None:
    """Of 200 arenas of bots that are close, an order that is called clear in at most 5%, and 5% of the intervals.

    Also where some take thirty times as long, and each pair now more and now less.
    """
    rng, wrong, missed = np.random.default_rng(7), 0, 0
    for seed in range(200):
        strengths = dict(zip("ABCD", rng.normal(0, 0.2, 4).tolist(), strict=True))
        run = Simulated(strengths, seed, most=60_000, seconds=seconds)
        games = 1_000 if seconds else 3_000
        results = arena.play(bots("ABCD"), games=games, rules=NO_CUBE, until="ranked", workers=run)
        wrong += any(
            strengths[first] < strengths[second] and (first, second) not in results.unclear
            for first, second in pairwise(ranking_of(results))
        )
        ratings = cast("dict[str, arena.Interval]", results.ratings)
        mean = fmean(strengths.values())
        missed += sum(abs(ratings[name].mean - strengths[name] + mean) > ratings[name].margin for name in strengths)
    assert wrong <= 10
    assert missed <= 40
