"""At which levels a side can still win, as far as they count differently.

Cases; laws, with games played to their end by chance; all ends of short races, from the plain texts of the rules
(`reference` for the board, `table_model` for what a level counts).
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

import loop
import reference
import wording
from boards import position_of, tables
from gammonrules import strategies
from gammonrules.board import Position, Win
from gammonrules.dice import OPENING_ROLLS
from gammonrules.errors import ArgumentError
from gammonrules.match import TO_ACT, Action, Cube, MatchState, Phase, Player
from gammonrules.rules import PORTES, Rules
from possible_ends import counted, ends_as_was_possible

WHITE, BLACK = Player
SINGLE, GAMMON, BACKGAMMON = Win
EVERY = {*Win}
START = Position.start()
A_TURN_EACH = Position.of(mine={1: 4}, theirs={1: 2})
"""The player on roll wins now with a doublet, or never."""
ON_THE_BAR = Position.of(mine={1: 2}, theirs={"bar": 1, 6: 14})
"""Sure to end as a backgammon, unless the other side is on roll: 66 leaves the home board."""


def on_roll(position: Position = START, **fields: Any) -> MatchState:
    return MatchState(position, WHITE, **fields)


def wins_of_both(state: MatchState) -> tuple[set[Win], set[Win]]:
    return set(state.possible_wins(WHITE)), set(state.possible_wins(BLACK))


class TestCases:
    @loop.rows(
        ("state", "white", "black"),
        (MatchState.new(7), EVERY, EVERY),
        (on_roll(length=7), EVERY, EVERY),
        # what the board leaves
        (on_roll(Position.of(mine={6: 14}, theirs={6: 15}), length=7), {SINGLE, GAMMON}, {SINGLE}),
        (on_roll(ON_THE_BAR, length=7), {BACKGAMMON}, set()),
        (on_roll(ON_THE_BAR.flip(), length=7), set(), {GAMMON, BACKGAMMON}),
        # the dice that are to be played
        (on_roll(A_TURN_EACH, length=7), {SINGLE}, {SINGLE}),
        (on_roll(A_TURN_EACH, dice="11", length=7), {SINGLE}, set()),
        (on_roll(A_TURN_EACH, dice="21", length=7), set(), {SINGLE}),
        # both starters: an opening roll is no doublet, but a starter may roll again
        (MatchState.new(7, position=A_TURN_EACH), set(), {SINGLE}),
        (MatchState.new(7, position=A_TURN_EACH, rules=Rules(opening="reroll")), {SINGLE}, {SINGLE}),
        (MatchState.new(7, position=Position.of(mine={1: 2}, theirs={1: 2})), {SINGLE}, {SINGLE}),
    )
    def test_what_plays_allow(self, state: MatchState, white: set[Win], black: set[Win]):
        assert wins_of_both(state) == (white, black)

    @loop.rows(
        ("state", "white", "black"),
        # Jacoby
        (on_roll(rules=Rules(jacoby=True)), {SINGLE}, {SINGLE}),
        (on_roll(rules=Rules(jacoby=True), cube=Cube(2)), {SINGLE}, {SINGLE}),
        (on_roll(rules=Rules(jacoby=True), cube=Cube(2, BLACK)), EVERY, EVERY),
        (on_roll(rules=Rules(jacoby=True), length=7), EVERY, EVERY),
        (on_roll(ON_THE_BAR, rules=Rules(jacoby=True)), {SINGLE}, set()),
        # other options
        (on_roll(rules=Rules(gammons=False, backgammons=False)), {SINGLE}, {SINGLE}),
        (on_roll(rules=PORTES), {SINGLE, GAMMON}, {SINGLE, GAMMON}),
        (on_roll(ON_THE_BAR, rules=PORTES), {GAMMON}, set()),
        (on_roll(rules=Rules(scoring="pips", cube=False)), {SINGLE}, {SINGLE}),
        (on_roll(ON_THE_BAR, rules=Rules(scoring="pips", cube=False)), {SINGLE}, set()),
        (on_roll(rules=Rules(max_cube=2), cube=Cube(2, BLACK)), EVERY, EVERY),
        # the end of the match
        (on_roll(length=1), {SINGLE}, {SINGLE}),
        (on_roll(length=2), {SINGLE, GAMMON}, {SINGLE, GAMMON}),
        (on_roll(length=3), EVERY, EVERY),
        (on_roll(length=7, score=(6, 4)), {SINGLE}, EVERY),
        (on_roll(length=7, score=(5, 4), cube=Cube(2, BLACK)), {SINGLE}, {SINGLE, GAMMON}),
        (on_roll(length=7, score=(2, 0), cube=Cube(4, BLACK)), {SINGLE, GAMMON}, {SINGLE, GAMMON}),
        (on_roll(length=7, cube=Cube(64, BLACK)), {SINGLE}, {SINGLE}),
        # the lowest level that can happen, not the lowest of all
        (on_roll(ON_THE_BAR, length=1), {BACKGAMMON}, set()),
        (on_roll(ON_THE_BAR, length=2), {BACKGAMMON}, set()),
    )
    def test_what_counts(self, state: MatchState, white: set[Win], black: set[Win]):
        assert wins_of_both(state) == (white, black)

    def test_offers(self):
        """A double changes nothing until it is taken; a beaver is a cube that has been taken."""
        before = on_roll(rules=Rules(jacoby=True, beavers=1))
        doubled = before.double()
        assert wins_of_both(doubled) == ({SINGLE}, {SINGLE})
        assert wins_of_both(doubled.resign(GAMMON, by=BLACK)) == ({SINGLE}, {SINGLE})
        assert wins_of_both(doubled.take()) == (EVERY, EVERY)
        assert wins_of_both(doubled.beaver()) == (EVERY, EVERY)

    def test_dice_below_a_resignation(self):
        """They are played if it is declined."""
        to_play = on_roll(A_TURN_EACH, dice="21")
        assert wins_of_both(to_play.resign(by=WHITE)) == wins_of_both(to_play) == (set(), {SINGLE})

    @loop.over(
        ("over", "white", "black"),
        lambda: [
            (on_roll(ON_THE_BAR, dice="21", length=1).play("1/off(2)"), {BACKGAMMON}, set()),
            (on_roll(ON_THE_BAR, dice="21", rules=Rules(jacoby=True)).play("1/off(2)"), {SINGLE}, set()),
            (on_roll(length=1).resign(GAMMON).accept(), set(), {GAMMON}),
            (on_roll(length=3).double().drop(), {SINGLE}, set()),
            (on_roll(length=3).forfeit(WHITE), set(), set()),
            (MatchState.new(None).forfeit(BLACK, 2), set(), set()),
        ],
    )
    def test_games_that_are_over(self, over: MatchState, white: set[Win], black: set[Win]):
        """The winner's level as it ended, whatever it counted; a forfeit has none."""
        assert wins_of_both(over) == (white, black)

    @loop.rows("player", None, "White", "", 0, 1, True, TO_ACT, SINGLE, [WHITE], float("nan"))
    def test_no_player(self, player: object):
        for state in (on_roll(), MatchState.new(3), on_roll().resign().accept()):
            with wording.raises(ArgumentError, "player must be Player.WHITE or Player.BLACK"):
                state.possible_wins(player)  # type: ignore[arg-type]

    def test_a_player_as_a_text(self):
        state = on_roll(ON_THE_BAR, length=7)
        assert state.possible_wins("white") == {BACKGAMMON}  # type: ignore[arg-type]


# --- laws -------------------------------------------------------------------------------------------------------------


def live_tables() -> st.SearchStrategy[MatchState]:
    return tables().filter(lambda state: state.result is None)


def lowest(state: MatchState, player: Player, levels: Collection[int]) -> set[Win]:
    """Of these levels, as they count, the lowest of each number of points."""
    every = [counted(state, player, win) for win in levels]
    return {min(win for win, points in every if points == worth) for _, worth in every}


def levels_allowed(state: MatchState, player: Player) -> set[Win]:
    """The levels that `possible_outcomes` has after every legal play of the dice, or else before the roll."""
    starters = [*Player] if state.on_roll is None else [state.on_roll]
    rolls = [] if state.dice is None else [state.dice]
    if state.on_roll is None and state.rules.opening == "shared":
        rolls = [*OPENING_ROLLS]
    allowed: set[Win] = set()
    for starter in starters:
        board = state.view(starter)
        plays = [play for dice in rolls for play in board.legal_plays(dice)]
        after = {outcome for play in plays for outcome in play.position.possible_outcomes}
        outcomes = {attrs.evolve(outcome, won=not outcome.won) for outcome in after} or board.possible_outcomes
        allowed |= {outcome.win for outcome in outcomes if outcome.won is (player is starter)}
    return allowed


def played_out(state: MatchState, rng: random.Random) -> Iterator[MatchState]:
    """A state and those that follow, to the end of its game, by chance; offers are taken and declined."""
    yield state
    while state.result is None:
        match state.phase:
            case Phase.OPENING:
                state = state.opening_roll(rng.randint(1, 6), rng.randint(1, 6))
            case Phase.TO_PLAY:
                state = state.play(rng.choice(state.legal_plays))
            case Phase.DOUBLED:
                state = state.take()
            case Phase.RESIGNED:
                state = state.decline()
            case _ if Action.DOUBLE in state.legal_actions and rng.random() < 0.05:
                state = state.double()
            case _:
                state = state.roll((rng.randint(1, 6), rng.randint(1, 6)))
        yield state


class TestLaws:
    @given(live_tables())
    def test_what_plays_allow_and_what_counts(self, state: MatchState):
        for player in Player:
            assert state.possible_wins(player) == lowest(state, player, levels_allowed(state, player))

    @given(live_tables(), st.integers())
    def test_games_end_as_was_possible(self, state: MatchState, seed: int):
        ends_as_was_possible([*played_out(state, random.Random(seed))])

    @given(live_tables().filter(lambda state: state.phase in {Phase.TO_ROLL, Phase.TO_PLAY, Phase.DOUBLED}))
    def test_each_can_be_resigned(self, state: MatchState):
        """The opponent can, and loses exactly this level; the levels give different points."""
        for player in Player:
            results = [
                state.resign(win, by=player.opponent).accept().result for win in sorted(state.possible_wins(player))
            ]
            assert {result.win for result in results} == state.possible_wins(player)
            points = [result.points for result in results]
            assert points == sorted({*points})
            if state.away is not None:
                assert all(number < state.away[player] for number in points[:-1])

    @given(live_tables())
    def test_offers_change_nothing(self, state: MatchState):
        """A resignation does not, declined or not, nor does a double until it is taken; nor do the names of players."""
        swapped = state.swap_players()
        offers = [swapped.swap_players()]
        if state.phase is Phase.RESIGNED:
            offers.append(state.decline())
        if Action.DOUBLE in state.legal_actions:
            offers.append(state.double())
        for player in Player:
            assert swapped.possible_wins(player.opponent) == state.possible_wins(player)
            assert all(offer.possible_wins(player) == state.possible_wins(player) for offer in offers)
        assert state.possible_wins(WHITE) | state.possible_wins(BLACK)  # somebody wins

    @given(
        strategies.match_states(lengths=st.none(), rules=strategies.rules(jacoby=True))
        | strategies.match_states(rules=strategies.rules(gammons=False))
        | strategies.match_states(rules=strategies.rules(scoring="pips"))
    )
    def test_single_games_only(self, state: MatchState):
        """With the Jacoby rule and a centered cube, without gammons, and with pip scoring."""
        beavers = 0 if state.pending_double is None else state.pending_double.beavers
        is_centered = state.cube.owner is None and beavers == 0
        if state.result is None and (is_centered or not state.rules.gammons):
            assert all(state.possible_wins(player) <= {SINGLE} for player in Player)

    @given(strategies.match_states(lengths=st.integers(1, 4), rules=strategies.rules()))
    def test_one_level_where_any_wins_the_match(self, state: MatchState):
        for player in Player:
            if state.result is None and state.cube.value >= state.away[player]:
                assert len(state.possible_wins(player)) <= 1


# --- all ends of short races ------------------------------------------------------------------------------------------

TABLES: list[dict[str, Any]] = [
    {"length": 7},
    {"length": 1},
    {"length": 2},
    {"length": 5, "score": (1, 3), "cube": Cube(2, WHITE)},
    {"rules": Rules(jacoby=True)},
    {"rules": Rules(jacoby=True), "cube": Cube(4, BLACK)},
    {"rules": PORTES},
    {"length": 3, "rules": Rules(gammons=False, backgammons=False, opening="reroll")},
    {"rules": Rules(scoring="pips", cube=False, opening="reroll")},
]


@pytest.mark.parametrize(
    ("checkers", "places"),
    [
        (1, (1, 3, 6, 8, 19, 22)),
        (2, (1, 2, 6)),
        pytest.param(1, range(1, 25), marks=pytest.mark.long),
        pytest.param(2, range(1, 7), marks=pytest.mark.long),
        pytest.param(2, (1, 2, 19), marks=pytest.mark.long),
    ],
)
def test_all_ends_of_short_races(checkers: int, places: Collection[int]) -> None:
    """Before every roll, with every roll and before the opening roll: none is missing, and none too many."""
    for number, board in enumerate(reference.races(checkers, places)):
        table = TABLES[number % len(TABLES)]
        position = position_of(board)
        to_roll = MatchState(position, WHITE, **table)
        compare(to_roll, {WHITE: reference.ends(board)})
        for dice in reference.ROLLS:
            compare(attrs.evolve(to_roll, dice=dice), {WHITE: reference.ends_after(board, (dice,))})
        if to_roll.cube == Cube():
            opening = MatchState(position, **table)
            is_rerolled = opening.rules.opening == "reroll"
            rolls = tuple((high, low) for high, low in reference.ROLLS if is_rerolled or high != low)
            starts = {WHITE: board, BLACK: reference.flip(board)}
            compare(opening, {player: reference.ends_after(start, rolls) for player, start in starts.items()})


def compare(state: MatchState, ends_by_starter: dict[Player, frozenset[reference.End]]) -> None:
    for player in Player:
        levels = {
            end.level for starter, ends in ends_by_starter.items() for end in ends if end.won is (player is starter)
        }
        assert state.possible_wins(player) == lowest(state, player, levels), (state, player)
