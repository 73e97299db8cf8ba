"""`MatchState.possible_wins`: at which levels a side can still win, as far as they count differently."""

from __future__ import annotations

import loop
import wording
from gammonrules.board import Position, Win
from gammonrules.errors import ArgumentError
from gammonrules.match import TO_ACT, Cube, MatchState, Player
from gammonrules.rules import PORTES, Rules

WHITE, BLACK = Player
SINGLE, GAMMON, BACKGAMMON = Win
EVERY = {*Win}
START = Position.start()
A_TURN_EACH = Position.of(mine={1: 4}, theirs={1: 2})
"""The player on roll wins now with a doublet, or never."""
ON_THE_BAR = Position.of(mine={1: 2}, theirs={"bar": 1, 6: 14})
"""Sure to end as a backgammon, unless the other side is on roll: 66 leaves the home board."""


def on_roll(position: Position = START, **fields: object) -> MatchState:
    return MatchState(position, WHITE, **fields)  # type: ignore[arg-type]


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

    @loop.rows(
        ("over", "white", "black"),
        (on_roll(ON_THE_BAR, dice="21", length=1).play("1/off(2)"), {BACKGAMMON}, set()),
        (on_roll(ON_THE_BAR, dice="21", rules=Rules(jacoby=True)).play("1/off(2)"), {SINGLE}, set()),
        (on_roll(length=1).resign(GAMMON).accept(), set(), {GAMMON}),
        (on_roll(length=3).double().drop(), {SINGLE}, set()),
        (on_roll(length=3).forfeit(WHITE), set(), set()),
        (MatchState.new(None).forfeit(BLACK, 2), set(), set()),
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
