"""`examples/opponents.py`: the opponents and the tutor."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

import loop
from gammonrules import Action, Event, MatchState, Player, Position, Rules, Win, records
from gammonrules.engine import EngineStartError, EngineTerminatedError, SimpleEngine

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.append(str(EXAMPLES))
import bot  # noqa: E402
import opponents  # noqa: E402
from opponents import Opponent, Tutor  # noqa: E402

WHITE, BLACK = Player
OPENING = MatchState.new(5).opening_roll(3, 1)


class Engine:
    """A program which says what a test wants it to."""

    name, level = "Sage", "2-ply"

    def __init__(self, *lost: float) -> None:
        self.is_open = True
        self.lost = lost or (1.0, 1.0, 1.0)

    def decide(self, state: MatchState) -> Event | Action:
        if not self.is_open:
            raise EngineTerminatedError("Sage: it was closed")
        return bot.choose(state)

    def evaluate(self, state: MatchState) -> Any:
        lose, lose_gammon, lose_backgammon = self.lost
        return SimpleNamespace(win=1 - lose, win_gammon=0, lose_gammon=lose_gammon, lose_backgammon=lose_backgammon)

    def candidates(self, state: MatchState, limit: int) -> list[records.Candidate]:
        plays = [*state.legal_plays][:4]
        levels = "2-ply", "0-ply", "2-ply", "0-ply"
        return [
            records.Candidate(str(play), play.position, -0.1 * rank, None, level)
            for rank, (play, level) in enumerate(zip(plays[:limit], levels, strict=False))
        ]

    def cube_analysis(self, state: MatchState) -> records.CubeAnalysis:
        return records.CubeAnalysis(0.7, 0.9)

    def close(self) -> None:
        self.is_open = False


def race(mine: dict[Any, int], theirs: dict[Any, int]) -> MatchState:
    return MatchState(Position.of(mine, theirs), WHITE, length=9)


class TestOpponents:
    def test_a_program_that_has_failed_is_started_again_later(self, monkeypatch) -> None:
        """And not before each decision: a start takes long."""
        now, started = 0.0, list[Engine]()
        monkeypatch.setattr(opponents.time, "monotonic", lambda: now)
        opponent = Opponent("Sage", "", lambda: started.append(Engine()) or started[-1])
        for _ in range(2):
            now += 100
            assert opponent(OPENING) == bot.choose(OPENING)
            started[-1].close()
            now += opponents.REST - 1 if len(started) == 1 else 0
            if len(started) > 1:
                with pytest.raises(EngineStartError):
                    opponent(OPENING)
        assert len(started) == 2

    @loop.rows(
        ("lost", "win"),
        ((1, 0, 0), Win.SINGLE),
        ((1, 1, 0), Win.GAMMON),
        ((1, 1, 1), Win.GAMMON),  # no backgammon is possible any more
        ((0.998, 0, 0), None),
        ((1, 0.5, 0), None),
        ((1, 1, 0.01), None),
    )
    def test_what_is_lost_for_certain_is_resigned(self, lost, win) -> None:
        """At its level, which may still be in doubt, as far as it is possible; before the roll, and in a race."""
        opponent = Opponent("Sage", "", lambda: Engine(*lost))
        state = race({6: 15}, {"off": 14, 1: 1})
        assert opponent(state) == (Action.ROLL if win is None else Event(Action.RESIGN, WHITE, win))
        for other in (MatchState(Position.start(), WHITE, length=9), OPENING):
            assert opponent(other) == bot.choose(other)

    def test_what_is_here(self, monkeypatch) -> None:
        """What does not start is left out, and said once; where the weakest is not here, there is the simple bot."""

        def missing() -> Any:
            raise EngineStartError("it is not installed")

        for strengths, tutors, names in [
            ((("A", "", Engine), ("B", "", missing)), {"x": missing, "y": Engine}, ["A"]),
            ((("B", "", missing),), {"x": missing}, ["Simple bot"]),
            ((("B", "", missing), ("A", "", Engine)), {"y": Engine}, ["Simple bot", "A"]),
        ]:
            monkeypatch.setattr(opponents, "STRENGTHS", strengths)
            monkeypatch.setattr(opponents, "TUTORS", tutors)
            told: list[str] = []
            with opponents.opened(told.append) as (bots, tutor):
                assert [*bots] == names
                assert told == ["it is not installed"]
                assert (tutor and tutor.key) == ("y" if "A" in names else None)

    @pytest.mark.parametrize(("bgsage", "key"), [(object(), "default"), (None, "gnubg")])
    def test_without_bgsage_gnu_backgammon_teaches(self, bgsage, key, monkeypatch) -> None:
        """The default would ask the network then, which judges worse."""
        monkeypatch.setattr(opponents, "STRENGTHS", (("A", "", Engine),))
        monkeypatch.setattr(opponents, "TUTORS", dict.fromkeys(opponents.TUTORS, Engine))
        monkeypatch.setattr(opponents, "find_spec", {"bgsage": bgsage}.get)
        with opponents.opened() as (_, tutor):
            assert tutor
            assert tutor.key == key

    @loop.over("strength", opponents.STRENGTHS[:5])
    def test_the_network_plays_a_match(self, strength) -> None:
        with closing(Opponent(*strength)) as opponent:
            assert bot.played(opponent, 1, length=1).winner
            assert opponent.engine.name == "selftaught 4"

    def test_nothing_is_resigned_in_a_match_that_an_engine_does_not_evaluate(self) -> None:
        """Who is 26 points away plays on, whatever the race."""
        lost = attrs.evolve(race({6: 15}, {"off": 14, 1: 1}), length=26)
        with closing(SimpleEngine.selftaught(1)) as engine:
            assert opponents.lost_for_certain(lost, engine) is None


@pytest.fixture
def tutor(monkeypatch) -> Iterator[Tutor]:
    monkeypatch.setitem(opponents.TUTORS, "sage", Engine)
    yield (started := Tutor("sage"))
    started.close()


class TestTutor:
    def test_plays_of_one_level_are_compared(self, tutor) -> None:
        plays = [str(play) for play in OPENING.legal_plays]
        assert tutor.name == "Sage, 2-ply"
        assert tutor.choices(OPENING) == [(plays[0], 0.0), (plays[2], 0.2)]

    def test_what_to_do_with_the_cube(self, tutor) -> None:
        state = MatchState(Position.start(), WHITE, length=5)
        rounded = [(what, round(loss, 3)) for what, loss in tutor.choices(state)]
        assert rounded == [("double", 0.0), ("roll", 0.2)]
        assert [what for what, _ in tutor.choices(state.double())] == ["take", "drop"]
        money = MatchState(Position.start(), WHITE)
        assert [what for what, _ in tutor.choices(money.double())] == ["take", "drop"]
        for other in (money.double().beaver(), state.resign(), MatchState(Position.start(), WHITE, length=1)):
            assert tutor.choices(other) == []


@pytest.fixture
def solved(tmp_path) -> str:
    """A table of Hypergammon with one checker."""
    hypergammon = pytest.importorskip("gammonrules.hypergammon")
    hypergammon.solve(path := tmp_path / "one.table", 1, jacoby=False).close()
    return str(path)


def hitting(solved: str) -> MatchState:
    """White can hit, or go the same way without."""
    position = Position.of({10: 1}, {17: 1}, checkers=1)
    return MatchState(position, WHITE, (2, 1), length=None, rules=opponents.solved(solved)[0])


class TestPerfectPlayer:
    def test_it_plays_and_teaches_alone(self, solved) -> None:
        rules, lengths = opponents.solved(solved)
        assert (rules, lengths) == (Rules(start="hypergammon1", beavers=1), [None])
        state = hitting(solved)
        with opponents.opened(table=solved) as (bots, tutor):
            assert [(name, player.about) for name, player in bots.items()] == [opponents.PERFECT]
            assert tutor
            assert tutor.name == "Hypergammon solved with 1 checker, exact"
            assert str(bots[opponents.PERFECT[0]](state).argument) == "10/8*/7"
            best, (other, loss) = tutor.choices(state)
            assert (best, other, loss > 0.1) == (("10/8*/7", 0), "10/7", True)
