"""`examples/bot.py`: whatever the rules, the bot finishes its matches, and it beats players who do not think."""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

import attrs
import pytest

import loop
from gammonrules import Action, Event, MatchState, Phase, Player, Position, Resignation, Rules, Win, records, rules
from gammonrules.engine import Bot
from gammonrules.match import Pair

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.append(str(EXAMPLES))
import bot  # noqa: E402

WHITE, BLACK = Player
RULES = {
    "tournament": rules.TOURNAMENT,
    "gamedesire": rules.GAMEDESIRE,
    "portes": rules.PORTES,
    "pips": rules.BRETTSPIELWELT_SINGLE,
    "hypergammon": Rules(start="hypergammon"),
    "beavers": Rules(jacoby=True, beavers=3, auto_doubles=2, opening="reroll"),
}
LENGTHS = [3, None], [None]  # pips are counted in money play only


def careless(rng: random.Random) -> Bot:
    """Any legal play; no doubles, no resignations."""

    def choose(state: MatchState) -> Event | Action:
        if Action.PLAY in state.legal_actions:
            return Event(Action.PLAY, state.to_act, rng.choice(state.legal_plays))
        return bot.choose(state)

    return choose


def played(first: MatchState, rng: random.Random, bots: tuple[Bot, Bot], games: int = 1000) -> list[Event]:
    """The events of a match, or of some games of money play. Each is legal, or it would raise."""
    state, log = first, []
    while state.winner is None and (state.result is None or (games := games - 1)):
        log.append(bot.next_event(state, Pair(bots)[state.to_act or WHITE], rng))
        state = state.apply(log[-1])
    return log


def test_a_match_against_itself() -> None:
    record = bot.played(bot.choose, 5)
    assert record.winner is not None
    assert records.referee(record) == ()


@loop.over(("name", "length"), [(name, length) for name in RULES for length in LENGTHS[name == "pips"]])
def test_matches_come_to_an_end(name, length) -> None:
    first = MatchState.new(length, rules=RULES[name])
    log = played(first, random.Random(1), (bot.choose, bot.choose), games=1000 if length else 3)
    match = records.Match.from_events(("A", "B"), first, log)
    assert all(game.final().result for game in match.games[:3])
    assert length is None or match.winner is not None


def test_it_doubles_takes_and_drops() -> None:
    log = played(MatchState.new(None), random.Random(3), (bot.choose, bot.choose), games=12)
    counts = Counter(event.action for event in log)
    assert min(counts[action] for action in (Action.DOUBLE, Action.TAKE, Action.DROP)) >= 2


def test_it_beats_a_careless_player() -> None:
    """10 games each from either side: a player of equal strength would hardly ever win 18."""
    won = 0
    for seed in range(20):
        rng, first, player = random.Random(seed), MatchState.new(1), (WHITE, BLACK)[seed % 2]
        log = played(first, rng, (bot.choose, careless(rng)) if player is WHITE else (careless(rng), bot.choose))
        won += records.Match.from_events(("A", "B"), first, log).winner is player
    assert won >= 18


def table(white: Position, on_roll: Player = WHITE, **fields: object) -> MatchState:
    """A state in which somebody is about to roll; the board is White's."""
    return MatchState(white if on_roll is WHITE else white.flip(), on_roll, **fields)


NEARLY_OFF = {"off": 14, 1: 1}


class TestResignations:
    @loop.rows(
        ("board", "resigns"),
        (Position.of(mine={"off": 10, 6: 5}, theirs=NEARLY_OFF), True),
        (Position.of(mine={"off": 13, 1: 2}, theirs=NEARLY_OFF), False),  # it wins with every roll
        (Position.of(mine={"off": 11, 2: 4}, theirs=NEARLY_OFF), False),  # with some doublets
        (Position.of(mine={"off": 10, 6: 5}, theirs={"off": 13, 6: 2}), False),  # the other may miss
        (Position.of(mine={6: 15}, theirs=NEARLY_OFF), False),  # it would lose a gammon, or save it
        (Position.start(), False),
    )
    def test_the_bot_resigns_what_is_lost_for_certain(self, board, resigns) -> None:
        assert (bot.choose(table(board, length=5)) == Event(Action.RESIGN, WHITE, Win.SINGLE)) is resigns

    @loop.rows(
        ("mine", "fields", "decision"),
        ({12: 15}, {"length": 5}, Event(Action.RESIGN, WHITE, Win.GAMMON)),
        ({20: 15}, {"length": 5}, Event(Action.RESIGN, WHITE, Win.BACKGAMMON)),
        ({19: 1, 7: 14}, {"length": 5}, Action.ROLL),  # it may save the backgammon
        ({19: 1, 7: 14}, {"length": 5, "score": (0, 3)}, Event(Action.RESIGN, WHITE, Win.GAMMON)),  # the match
        ({20: 15}, {"length": None}, Event(Action.RESIGN, WHITE, Win.SINGLE)),  # the Jacoby rule
        ({20: 15}, {"rules": RULES["pips"]}, Action.ROLL),
    )
    def test_it_resigns_no_more_than_it_loses(self, mine, fields, decision) -> None:
        assert bot.choose(table(Position.of(mine=mine, theirs=NEARLY_OFF), **fields)) == decision

    @loop.rows(
        ("theirs", "win", "answer"),
        ({"off": 1, 6: 14}, Win.SINGLE, Action.ACCEPT),  # no gammon any more
        ({24: 10, 23: 5}, Win.SINGLE, Action.DECLINE),
        ({24: 10, 23: 5}, Win.GAMMON, Action.DECLINE),
        ({24: 10, 23: 5}, Win.BACKGAMMON, Action.ACCEPT),
        ({13: 10, 6: 5}, Win.SINGLE, Action.DECLINE),
        ({13: 10, 6: 5}, Win.GAMMON, Action.ACCEPT),
        ({12: 15}, Win.SINGLE, Action.DECLINE),
    )
    def test_what_it_accepts(self, theirs, win, answer) -> None:
        mine = {"off": 10, 1: 5} if not {23, 24} & theirs.keys() else {"off": 10, 3: 5}
        resigned = table(Position.of(mine=mine, theirs=theirs), BLACK, length=9).resign(win, by=BLACK)
        assert resigned.offer == Resignation(BLACK, win)
        assert bot.choose(resigned) == Event(answer, WHITE)

    def test_it_accepts_what_wins_the_match_and_what_counts_as_much(self) -> None:
        board = Position.of(mine={"off": 10, 3: 5}, theirs={24: 10, 23: 5})
        for state in (table(board, length=9, score=(8, 0)), table(board, length=None)):  # Jacoby, a centered cube
            assert bot.choose(state.resign(by=BLACK)).action is Action.ACCEPT


def by_chance(state: MatchState, rng: random.Random) -> Event:
    """Any play, and now and then a double, which is taken."""
    match state.phase:
        case Phase.TO_PLAY:
            return Event(Action.PLAY, argument=str(rng.choice(state.legal_plays)))
        case Phase.DOUBLED:
            return Event(Action.TAKE)
        case Phase.TO_ROLL if Action.DOUBLE in state.legal_actions and rng.random() < 0.05:
            return Event(Action.DOUBLE)
        case phase:
            return Event(Action.OPENING_ROLL if phase is Phase.OPENING else Action.ROLL, argument=thrown(rng))


def thrown(rng: random.Random) -> tuple[int, int]:
    return rng.randint(1, 6), rng.randint(1, 6)


def counted(state: MatchState) -> tuple[int, ...]:
    """The score as far as it counts."""
    return tuple(min(state.length or points, points) for points in state.score)


class TestDecidedGames:
    LAST_TWO = Position.of(mine={"off": 13, 1: 2}, theirs={6: 15})

    @loop.over(
        "first", [*map(MatchState.new, (1, 3, 9)), *[MatchState.new(None, rules=rules) for rules in RULES.values()]]
    )
    def test_they_end_as_playing_on_would_end_them(self, first: MatchState) -> None:
        """The loser resigns the one level that is left, and it is accepted; with pip scoring they are played out."""
        ends = 0
        for seed in range(2):
            rng = random.Random(seed)
            state = first
            while state.result is None and bot.end_of_decided(state) is None:
                state = state.apply(by_chance(state, rng))
            if state.result:
                continue
            ends += 1
            resigned = bot.end_of_decided(state)
            loser = resigned.by
            assert resigned == Event(Action.RESIGN, loser, *state.possible_wins(loser.opponent))
            assert not state.possible_wins(loser)
            offered = state.apply(resigned)
            accepted = bot.end_of_decided(offered)
            assert accepted == Event(Action.ACCEPT, loser.opponent)
            ended = offered.apply(accepted)
            assert bot.end_of_decided(ended) is None
            assert (ended.result.winner, ended.result.win) == (loser.opponent, resigned.argument)
            for _ in range(3):
                played = state
                while played.result is None:
                    played = played.play(rng.choice(played.legal_plays)) if played.dice else played.roll(thrown(rng))
                assert (played.winner, counted(played)) == (ended.winner, counted(ended))
        assert bool(ends) == (first.rules.scoring != "pips")

    def test_what_waits_is_not_skipped(self) -> None:
        """A double, a roll, and a resignation of another level; and no game of pip scoring is ended."""
        decided = table(self.LAST_TWO, length=9)
        assert bot.end_of_decided(decided) == Event(Action.RESIGN, BLACK, Win.GAMMON)
        for state in (
            decided.double(),
            decided.double().resign(Win.GAMMON, by=BLACK),
            decided.roll("31"),
            decided.resign(Win.SINGLE, by=BLACK),
            decided.resign(Win.GAMMON, by=WHITE),
            table(self.LAST_TWO, rules=rules.BRETTSPIELWELT_SINGLE),
        ):
            assert bot.end_of_decided(state) is None
        assert bot.end_of_decided(decided.double().take()) == Event(Action.RESIGN, BLACK, Win.GAMMON)

    def test_a_take_can_decide(self) -> None:
        """Black may lose a gammon or not, which count the same once a single game wins the match."""
        state = table(Position.of(mine={1: 3}, theirs={6: 14, 7: 1}), length=2)
        assert bot.end_of_decided(state) is None
        assert bot.end_of_decided(state.double().take()) == Event(Action.RESIGN, BLACK, Win.SINGLE)

    @loop.rows(
        ("state", "levels"),
        (MatchState.new(3), {}),
        (table(Position.start(), length=9), {Win.SINGLE: 1, Win.GAMMON: 2, Win.BACKGAMMON: 3}),
        (table(Position.start(), length=9).double(), {Win.SINGLE: 1, Win.GAMMON: 2, Win.BACKGAMMON: 3}),
        (table(Position.start(), length=9).double().take(), {Win.SINGLE: 2, Win.GAMMON: 4, Win.BACKGAMMON: 6}),
        (table(Position.start(), length=9).resign(), {Win.SINGLE: 1, Win.GAMMON: 2, Win.BACKGAMMON: 3}),
        (table(Position.start(), length=9).resign().accept(), {}),
        (table(Position.start(), length=1), {Win.SINGLE: 1}),
        (table(LAST_TWO, length=9), {}),
        (table(LAST_TWO.flip(), length=9).roll("31"), {Win.GAMMON: 2}),
    )
    def test_what_can_be_lost(self, state: MatchState, levels: dict[Win, int]) -> None:
        assert bot.losses(state, WHITE) == levels


class TestCube:
    RACE = Position.of(mine={6: 5, 5: 5, 4: 5}, theirs={6: 5, 5: 5, 8: 5})

    def test_a_lead_is_doubled_a_long_one_dropped_and_a_wrong_double_beavered(self) -> None:
        state = table(self.RACE, length=5)
        assert bot.choose(state).action is Action.DOUBLE
        assert bot.choose(state.double()).action is Action.DROP
        assert bot.choose(table(self.RACE, BLACK, length=5)) is Action.ROLL
        assert bot.choose(table(self.RACE, BLACK, length=5).double()).action is Action.TAKE
        assert bot.choose(table(self.RACE, BLACK, length=None).double()).action is Action.BEAVER

    def test_who_has_nothing_to_lose_doubles_at_once(self) -> None:
        state = table(self.RACE, BLACK, length=5, score=(4, 2), crawford=False)
        assert bot.choose(state).action is Action.DOUBLE
        assert bot.choose(attrs.evolve(state, crawford=True)) is Action.ROLL


def test_nobody_is_to_act() -> None:
    with pytest.raises(ValueError, match="opening"):
        bot.choose(MatchState.new(3))
