"""`MatchState`, a whole match as one value, and the actions that lead from state to state.

A `MatchState` stores what a photo would show: board, whose turn, dice, cube, a pending offer, score, length, whether it
is the Crawford game, the rules, and the result of a finished game. Everything else is derived from these, above all the
`phase`, which says what the state is waiting for:

    OPENING   opening_roll -> TO_PLAY (or TO_ROLL, with opening="reroll"; a tie stays)
    TO_ROLL   roll -> TO_PLAY, double -> DOUBLED
    TO_PLAY   play -> TO_ROLL, or OVER with the last checker
    DOUBLED   take -> TO_ROLL, beaver -> DOUBLED, drop -> OVER
    RESIGNED  decline -> back, accept -> OVER; reached by a resignation in TO_ROLL, TO_PLAY and DOUBLED
    OVER      next_game -> OPENING (or TO_ROLL, with a starter)

An arbiter's decision, `forfeit`, leads from every other phase to OVER; it is not an action of the players. Neither is a
position set by hand (`SetPosition`), which leads from any phase to TO_ROLL, or to OVER with a finished board.

`actions` has the actions of each phase; `cube` and `scoring` say what cube and score allow; `checks` whether a state is
possible at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, cast, overload

import attrs

from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.guessed_names import explain_guesses
from gammonrules._shared.json_form import JsonField
from gammonrules.board import MoveLike, Play, Plays, Position, Win
from gammonrules.board.internals import Maker
from gammonrules.dice import (
    MISSING,
    OPENING_ROLLS,
    ROLL_OF_FACES,
    Dice,
    DiceLike,
    dice_apart,
    may_be_die,
    receive_wrong_dice,
    shown_arguments,
)
from gammonrules.errors import (
    ArgumentError,
    GammonError,
    IllegalActionError,
    IllegalActionReason,
    MatchStateError,
    MatchStateProblem,
)
from gammonrules.match import scoring
from gammonrules.match.actions import (
    ACTIONS_OF_PHASE,
    ANYBODYS,
    Action,
    ActionName,
    Phase,
    action_named,
    illegal,
    why_no_next_game,
    why_not_in_this_phase,
)
from gammonrules.match.checks import Setup, check_setup
from gammonrules.match.cube import (
    CENTERED,
    Cube,
    Double,
    ForbiddenBy,
    Resignation,
    beavered,
    cube_if_taken,
    cube_that_counts,
    doubles_automatically,
    offer_swapped,
    why_not_beaver,
    why_not_double,
)
from gammonrules.match.events import (
    Event,
    Forfeit,
    RecordEvent,
    SetPosition,
    WinWord,
    any_event,
    level,
    make_event,
    two_dice,
)
from gammonrules.match.messages import dice_thrown, play_sent, read_message, start_agreed
from gammonrules.match.players import (
    TO_ACT,
    Pair,
    Player,
    PlayerLike,
    ToAct,
    actor_of,
    opponent_of,
    player_of,
    sender_of,
    to_pair,
)
from gammonrules.match.scoring import End, Result, level_name, wins_by_plays
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.values import check_function, counted, not_a_pair, shown

# faster than looking them up
_DOUBLE = Action.DOUBLE
_BEAVER = Action.BEAVER
_NEXT_GAME = Action.NEXT_GAME


def _wrong_roll(*values: object) -> GammonError:
    """The error for a call of `roll` with several values in places."""
    *dice, last = values
    if may_be_die(last):
        return dice_apart("roll(", *values)
    whole = dice[0] if len(dice) == 1 else tuple(dice)
    return _player_in_place(
        f"roll({shown(whole)}, by={shown(last)})", f"roll({shown_arguments(*values)})"
    )


def _wrong_opening_roll(*values: object) -> GammonError:
    """The error for a call of `opening_roll` with these values in places, and not one for each player."""
    passed = [value for value in values if value is not MISSING]
    wrong = f"opening_roll({shown_arguments(*passed)})"
    if len(passed) == 3 and not may_be_die(passed[2]):
        white, black, player = map(shown, passed)
        return _player_in_place(f"opening_roll({white}, {black}, by={player})", wrong)
    call = "opening_roll(white=3, black=1)"
    return not_a_pair(f"an opening roll is one die of each player: write {call}, not {wrong}")


def _player_in_place(right: str, wrong: str) -> ArgumentError:
    return ArgumentError(f"the player who acts is the argument by: write {right}, not {wrong}")


@attrs.frozen(init=False)
class MatchState(Setup, JsonField):
    """A match or money game at one moment: board, dice, cube, score, rules, and whose turn it is.

    Start a match with `MatchState.new(length=7)`. Each action returns a new state and leaves this one unchanged. The
    constructor takes any state and checks all of it; so does `attrs.evolve(state, position=...)`.

    *Equality*: two states are equal if all fields are equal, so the same board with other rules, another score or
    another pending offer is a different state. How a state came about does not matter.

    Attributes:
        position: the board as the player on roll sees it; before the opening roll, as White sees it.
        on_roll: whose turn it is, even while an offer is pending; None (the default) before the opening roll. After the
            last play of a game it is the loser; a drop, a resignation or a forfeit leaves it unchanged.
        dice: the roll to be played, or None (the default). The constructor takes anything that `Dice.of` reads.
        cube: value and owner; while a double is pending, those before the first offer. Default: centered at 1.
        offer: a pending `Double` or `Resignation`, or None (the default).
        score: the points of (White, Black), a `Pair`: `score[Player.WHITE]`. It includes the result of this game and is
            not capped at the length. Default (0, 0). A game begins with at most 1,000,000,000 points.
        length: points that win the match, 1 to 1,000,000,000, or None (the default) for money play.
        crawford: whether this is the Crawford game. None (the default): it is if the rules have one and exactly one
            side is one point from winning.
        rules: the options. None (the default): `TOURNAMENT` for a match, `MONEY` for money play.
        result: the result of the game, or None (the default) while it goes on.

    Raises:
        MatchStateError: the state is impossible; the message and `problems` name everything that is wrong. Fields of
            the wrong type and numbers out of bounds are reported first, since nothing else can be checked without them.
        DiceError: `dice` is not a roll.

    Examples:
        >>> m = MatchState.new(length=7).opening_roll(white=3, black=1)
        >>> m = m.play("8/5 6/5").double().take()
        >>> m.cube, m.on_roll, sorted(a.value for a in m.legal_actions)
        (Cube(value=2, owner=Player.WHITE), Player.BLACK, ['resign', 'roll'])
        >>> doubled = m.roll("62").play("24/18 13/11").double()
        >>> doubled.on_roll, doubled.to_act, str(doubled.phase)
        (Player.WHITE, Player.BLACK, 'doubled')
        >>> doubled.pending_double
        Double(by=Player.WHITE, value=4, beavers=0)
        >>> over = doubled.drop()
        >>> over.score, over.score_before, over.away, over.winner
        ((2, 0), (0, 0), (5, 7), None)
        >>> m == MatchState.from_xgid(m.xgid) == MatchState.from_ogid(m.ogid)
        True
        >>> m == MatchState.from_gnubg_id(m.gnubg_id)
        True
    """

    def __init__(
        self,
        position: Position,
        on_roll: PlayerLike | None = None,
        dice: DiceLike | None = None,
        *,
        cube: Cube = CENTERED,
        offer: Double | Resignation | None = None,
        score: Sequence[int] = (0, 0),
        length: int | None = None,
        crawford: bool | None = None,
        rules: Rules | None = None,
        result: Result | None = None,
    ) -> None:
        if rules is None:
            rules = MONEY if length is None else TOURNAMENT
        if dice is not None and type(dice) is not Dice:
            dice = Dice.of(dice)
        crawford_or_false = False if crawford is None else crawford  # `check_setup` finds it out
        self.__attrs_init__(  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
            position,
            on_roll,
            dice,
            cube,
            offer,
            score=to_pair(score),
            length=length,
            crawford=crawford_or_false,
            rules=rules,
            result=result,
        )
        check_setup(self, crawford=crawford)

    @classmethod
    def new(
        cls,
        length: int | None,
        *,
        rules: Rules | None = None,
        position: Position | None = None,
        score: Sequence[int] = (0, 0),
        crawford: bool | None = None,
    ) -> MatchState:
        """A new game, before its opening roll.

        Args:
            length: points that win the match, or None for money play.
            rules: the options; None means `TOURNAMENT` for a match and `MONEY` for money play.
            position: the first board, seen by White; None means the start position of the rules.
            score: points of (White, Black) so far.
            crawford: whether this is the Crawford game; None means that the score decides.

        Raises:
            MatchStateError: the state is impossible.

        Examples:
            >>> MatchState.new(5, score=(4, 2)).crawford
            True
            >>> MatchState.new(5, score=(4, 2), crawford=False).post_crawford
            True
        """
        if position is None:
            position = Position.start(rules.start if isinstance(rules, Rules) else "standard")
        return cls(position, score=score, length=length, crawford=crawford, rules=rules)

    # What follows from the fields -------------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        """What the state is waiting for."""
        if self.result is not None:
            return Phase.OVER
        if self.on_roll is None:
            return Phase.OPENING
        if self.offer is not None:
            return Phase.DOUBLED if isinstance(self.offer, Double) else Phase.RESIGNED
        return Phase.TO_ROLL if self.dice is None else Phase.TO_PLAY

    @property
    def to_act(self) -> Player | None:
        """The player who must act, by rolling, playing or answering an offer; None before and after a game."""
        if self.result is not None:
            return None
        if self.offer is None:
            return self.on_roll
        return self.offer.answerer if isinstance(self.offer, Double) else self.offer.by.opponent

    @property
    def legal_plays(self) -> Plays:
        """The legal plays of the dice.

        This is a property, since the state knows its dice; `Position.legal_plays` is a method that takes the dice.

        Raises:
            IllegalActionError: there are no dice to play now. (An empty series would look like a finished game.)

        Examples:
            >>> len(MatchState.new(3).opening_roll(3, 1).legal_plays)
            16
        """
        if self.dice is None or self.phase is not Phase.TO_PLAY:
            why_not = self._why_not_in_this_phase(Action.PLAY, None)
            raise IllegalActionError(f"there are no plays now: {why_not.sentence}", why_not.reason)
        return self.position.legal_plays(self.dice)

    @property
    def away(self) -> Pair[int] | None:
        """The points that (White, Black) still need, 0 for the winner; None in money play."""
        length = self.length
        return None if length is None else Pair(max(0, length - points) for points in self.score)

    @property
    def post_crawford(self) -> bool:
        """Whether the Crawford game was played before this game.

        Examples:
            >>> crawford = MatchState.new(3, score=(2, 0))
            >>> over = crawford.opening_roll(3, 1).resign(by=Player.WHITE).accept()
            >>> following = over.next_game()
            >>> crawford.post_crawford, following.score, following.post_crawford
            (False, (2, 1), True)
        """
        return not self.crawford and scoring.is_past_crawford(
            self.rules, self.length, self.score_before
        )

    @property
    def winner(self) -> Player | None:
        """The winner of the match; None while it goes on, and always in money play."""
        for player in Player:
            if scoring.has_won(self.length, self.score[player]):
                return player
        return None

    def view(self, player: PlayerLike) -> Position:
        """The board as this player sees it.

        Raises:
            ArgumentError: `player` is not a player.

        Examples:
            >>> m = MatchState.new(3).opening_roll(3, 1).play("8/5 6/5")
            >>> m.on_roll, m.view(Player.BLACK) == m.position
            (Player.BLACK, True)
            >>> m.view(Player.WHITE) == m.position.flip()
            True
        """
        seen_by = Player.WHITE if self.on_roll is None else self.on_roll
        return self.position if player_of(player) is seen_by else self.position.flip()

    def swap_players(self) -> MatchState:
        """The same state with White and Black exchanged throughout.

        Examples:
            >>> swapped = MatchState.new(7, score=(3, 1)).opening_roll(3, 1).swap_players()
            >>> swapped.score, swapped.on_roll
            ((1, 3), Player.BLACK)
        """
        # Before the opening roll the board is seen by White, who was Black until now.
        position = self.position.flip() if self.on_roll is None else self.position
        result = self.result
        if result is not None:
            result = attrs.evolve(result, winner=result.winner.opponent)
        return attrs.evolve(
            self,
            position=position,
            on_roll=opponent_of(self.on_roll),
            cube=attrs.evolve(self.cube, owner=opponent_of(self.cube.owner)),
            offer=offer_swapped(self.offer),
            score=self.score[::-1],
            result=result,
        )

    # Identifiers ------------------------------------------------------------------------------------------------------
    # Shortcuts to `identifiers`, which is loaded when used and has the other forms and what they leave out.

    @property
    def xgid(self) -> str:
        """The XGID, eXtreme Gammon's identifier; White is the bottom player.

        Raises:
            IdentifierError: the score is above 10^9.

        Examples:
            >>> MatchState.new(7).opening_roll(3, 1).swap_players().xgid
            'XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:0:7:10'
        """
        from gammonrules.identifiers.internals import write

        return write(self, "xgid")

    @property
    def gnubg_id(self) -> str:
        """GNU Backgammon's Position ID and Match ID, joined by a colon; White is player 1.

        Raises:
            IdentifierError: as for `MatchState.match_id`.

        Examples:
            >>> MatchState.new(7).opening_roll(3, 1).gnubg_id
            '4HPwATDgc/ABMA:cInlAAAAAAAE'
        """
        from gammonrules.identifiers.internals import write

        return write(self, "gnubg_id")

    @property
    def match_id(self) -> str:
        """GNU Backgammon's Match ID: everything except the board, in 12 characters.

        Raises:
            IdentifierError: the cube is above 2^15, or the score or the length is above 32,767 points.

        Examples:
            >>> MatchState.new(7).opening_roll(3, 1).match_id
            'cInlAAAAAAAE'
        """
        from gammonrules.identifiers.internals import write

        return write(self, "match_id")

    @property
    def ogid(self) -> str:
        """The OGID, OpenGammon's identifier; White is White.

        Raises:
            IdentifierError: the score is above 10^9.

        Examples:
            >>> MatchState.new(7).opening_roll(3, 1).play("8/5 6/5").ogid
            '11ccccchhjjjjkk:66666888dddddoo:N0N::W:C:0:0:7:0'
        """
        from gammonrules.identifiers.internals import write

        return write(self, "ogid")

    @classmethod
    def from_xgid(
        cls, text: str, rules: Rules | None = None, *, checkers: int | None = None
    ) -> MatchState:
        """Read an XGID; White is the bottom player.

        Arguments and errors are those of `identifiers.read`, which has `form` and `doubled_turn` besides.
        """
        from gammonrules.identifiers.internals import read_form

        return read_form(text, "xgid", rules, checkers)

    @classmethod
    def from_gnubg_id(
        cls, text: str, rules: Rules | None = None, *, checkers: int | None = None
    ) -> MatchState:
        """Read GNU Backgammon's Position ID with a Match ID, joined by a colon or with their labels; White is player 1.

        Arguments and errors are those of `identifiers.read`, which has `form` and `doubled_turn` besides. A game that
        is over, or has not begun, is not read.
        """
        from gammonrules.identifiers.internals import read_form

        return read_form(text, "gnubg_id", rules, checkers)

    @classmethod
    def from_ogid(
        cls, text: str, rules: Rules | None = None, *, checkers: int | None = None
    ) -> MatchState:
        """Read an OGID; White is White.

        Arguments and errors are those of `identifiers.read`, which has `form` and `doubled_turn` besides.
        """
        from gammonrules.identifiers.internals import read_form

        return read_form(text, "ogid", rules, checkers)

    # What is allowed --------------------------------------------------------------------------------------------------

    @property
    def legal_actions(self) -> frozenset[Action]:
        """The actions that `to_act` may do now; if nobody is to act, the opening roll or the next game.

        An action succeeds, with suitable arguments, exactly if it is listed. With pip scoring, `RESIGN` is listed but
        allows only a single game; `NEXT_GAME` needs a position if the start position of the rules has another number of
        checkers.
        """
        return self._actions_of(self.to_act)

    def legal_actions_of(self, player: PlayerLike) -> frozenset[Action]:
        """The actions that this player may do now.

        Raises:
            ArgumentError: `player` is not a player.

        Examples:
            >>> m = MatchState.new(3).opening_roll(3, 1)
            >>> m.legal_actions_of(Player.BLACK)  # both may resign at any time
            frozenset({<Action.RESIGN: 'resign'>})
        """
        return self._actions_of(player_of(player))

    def _actions_of(self, player: Player | None) -> frozenset[Action]:
        actions = ACTIONS_OF_PHASE[self.phase]
        return frozenset(
            [action for action in actions if self._why_not_here(action, player) is None]
        )

    def _allow(self, action: Action, by: PlayerLike | ToAct) -> Player:
        """The player who acts, from `by`. Raises IllegalActionError if they may not do this now."""
        actor = by if type(by) is Player else actor_of(by)
        player = self.to_act if actor is TO_ACT else actor
        if action in ACTIONS_OF_PHASE[self.phase]:
            why_not = self._why_not_here(action, player)
        else:
            why_not = self._why_not_in_this_phase(action, player)
        if why_not is not None:
            raise illegal(action, player, why_not)
        # Checkers of types cannot know that it is None only where `ANYBODYS` has the action, which then uses no player.
        return cast("Player", player)

    def _why_not_here(self, action: Action, player: Player | None) -> ForbiddenBy | None:
        """Why this player (with None, anybody) may not do an action of the phase, or None if they may."""
        if action is _NEXT_GAME:
            return why_no_next_game(self.length, max(self.score), self.winner)
        if player is None or action in ANYBODYS:
            return None
        if player is not self.to_act:
            sentence = f"{player.opponent.title()} is to act"
            return ForbiddenBy(IllegalActionReason.NOT_YOUR_TURN, sentence)
        if action is _DOUBLE:
            return why_not_double(
                self.rules, self.length, self.crawford, self.cube, self.score, player
            )
        if action is _BEAVER:
            return why_not_beaver(self.rules, self.length, self._double_to_answer())
        return None

    def _why_not_in_this_phase(self, action: Action, player: Player | None) -> ForbiddenBy:
        return why_not_in_this_phase(action, player, self.to_act, self.offer, self.result)

    def _double_to_answer(self) -> Double:
        """The double that the phase `DOUBLED` waits for."""
        assert isinstance(self.offer, Double)
        return self.offer

    def cube_after(self, action: Action | ActionName) -> Cube:
        """The cube after a legal action of `to_act`.

        For a double or a beaver, this is the cube if it is taken; for a drop or an accepted resignation, the cube whose
        value is lost; for an opening roll, the cube if it is not a tie.

        Raises:
            IllegalActionError: the action is not legal now.
            ArgumentError: there is no such action.

        Examples:
            >>> m = MatchState.new(3).opening_roll(3, 1).play("8/5 6/5").double()
            >>> m.cube_after(Action.TAKE)
            Cube(value=2, owner=Player.WHITE)
        """
        action = action_named(action)
        by = self._allow(action, TO_ACT)
        match action:
            case Action.DOUBLE:
                return cube_if_taken(Double(by, 2 * self.cube.value))
            case Action.BEAVER:
                return cube_if_taken(beavered(self._double_to_answer()))
            case Action.TAKE:
                return cube_if_taken(self._double_to_answer())
            case Action.DROP | Action.ACCEPT:
                return cube_that_counts(self.cube, self.pending_double)
            case Action.NEXT_GAME:
                return CENTERED
            case _:
                return self.cube

    def possible_wins(self, player: PlayerLike) -> frozenset[Win]:
        """The levels with which this player can still win by plays, as far as they are worth different points.

        `resign` allows every level; these are what a table offers the opponent to resign. They are those of
        `Result.win`: all are single with the Jacoby rule and a centered cube, without gammons, and with pip scoring. Of
        levels worth the same, as where a single game wins the match, it is only the lowest that can happen. While a
        double is pending, the cube is that of a resignation now. It is empty for a player who can only lose.

        It goes over all legal plays of both sides, of all rolls; a roll that waits to be played comes first, and before
        the opening roll either may start. It never lacks a level; while the sides are in contact, it may have one that
        cannot happen (see `Position.possible_outcomes`). Of a game that is over it is the winner's level as it ended,
        and none for the loser; a forfeit has no level.

        With pip scoring the points of a decided game stay open until its last roll.

        Source: the levels of all rule texts, and the sources of the options (`Rules`) that make them worth the same.

        Raises:
            ArgumentError: `player` is not a player.

        Examples:
            >>> last_two = Position.of(mine={1: 2}, theirs={2: 1, 3: 5})
            >>> m = MatchState(last_two, Player.WHITE, length=7)
            >>> m.possible_wins(Player.WHITE), m.possible_wins(Player.BLACK)
            (frozenset({<Win.SINGLE: 1>}), frozenset())
            >>> sorted(MatchState.new(7).possible_wins(Player.BLACK))
            [<Win.SINGLE: 1>, <Win.GAMMON: 2>, <Win.BACKGAMMON: 3>]
            >>> money = MatchState.new(None, rules=Rules(jacoby=True))
            >>> money.possible_wins(Player.BLACK)
            frozenset({<Win.SINGLE: 1>})
        """
        player = player_of(player)
        result = self.result
        if result is None:
            cube = cube_that_counts(self.cube, self.pending_double)
            wins = self._wins_by_plays(player)
            points = self.score[player]
            return scoring.wins_that_differ(self.rules, self.length, cube, points, wins)
        if result.win is None or player is not result.winner:
            return frozenset()
        return frozenset([result.win])

    def _wins_by_plays(self, player: Player) -> frozenset[Win]:
        """The levels at which a player can win a game that is not over, whatever they count."""
        if self.on_roll is not None:
            rolls = None if self.dice is None else [self.dice]
            return wins_by_plays(self.position, rolls, is_on_roll=player is self.on_roll)
        opening_rolls = OPENING_ROLLS if self.rules.opening == "shared" else None
        if_they_start = wins_by_plays(self.view(player), opening_rolls, is_on_roll=True)
        if_not = wins_by_plays(self.view(player.opponent), opening_rolls, is_on_roll=False)
        return if_they_start | if_not

    # The actions ------------------------------------------------------------------------------------------------------
    # Each takes `by`, the player who acts. It is illegal for a player who may not do it now; TO_ACT is the one who may.

    @receive_wrong_dice("white", "black")
    def opening_roll(
        self, white: int, black: int, *_apart: *tuple[()], by: PlayerLike | ToAct = TO_ACT
    ) -> MatchState:
        """Each player throws one die; the higher starts.

        After a tie the state is still waiting for its opening roll, though in money play an automatic double may have
        turned the cube. With `opening="shared"` the starter plays both dice; with "reroll" they have yet to roll.

        Args:
            white: White's die, 1 to 6.
            black: Black's die, 1 to 6.
            by: either player; it makes no difference.

        Raises:
            DiceError: a die is not a whole number from 1 to 6.
            IllegalActionError: the opening roll has already been made.

        Examples:
            >>> m = MatchState.new(3)
            >>> m.opening_roll(white=5, black=5) == m  # a tie: roll again
            True
            >>> m.opening_roll(white=2, black=6).on_roll
            Player.BLACK
        """
        if _apart or white is MISSING or black is MISSING:
            raise _wrong_opening_roll(white, black, *_apart)
        self._allow(Action.OPENING_ROLL, by)
        white, black = two_dice((white, black))
        dice = ROLL_OF_FACES[white, black]
        if dice.is_doublet:
            doubles = doubles_automatically(self.rules, self.length, self.cube.value)
            return self._with(cube=Cube(2 * self.cube.value)) if doubles else self
        starter = Player.WHITE if white > black else Player.BLACK
        to_play = dice if self.rules.opening == "shared" else None
        return self._turned(self.view(starter), starter, to_play)

    @receive_wrong_dice()
    def roll(
        self, dice: DiceLike, *_apart: *tuple[()], by: PlayerLike | ToAct = TO_ACT
    ) -> MatchState:
        """Roll the dice.

        Args:
            dice: the roll, in any form that `Dice.of` reads.
            by: the player who rolls, or `TO_ACT` (the default) for whoever is to act.

        Raises:
            DiceError: `dice` is not a roll.
            IllegalActionError: this is not legal now, or not for this player.

        Examples:
            >>> m = MatchState.new(3).opening_roll(3, 1).play("8/5 6/5").roll("6-2")
            >>> m.on_roll, m.dice
            (Player.BLACK, Dice(high=6, low=2))
        """
        if _apart:
            raise _wrong_roll(dice, *_apart)
        player = self._allow(Action.ROLL, by)
        return self._turned(self.position, player, dice if type(dice) is Dice else Dice.of(dice))

    def play(
        self, play: str | Play | Iterable[MoveLike], *, by: PlayerLike | ToAct = TO_ACT
    ) -> MatchState:
        """Play the roll. A dance, a turn without a legal play, is played as "".

        Args:
            play: text as `Plays.find` reads it, a `Play`, or moves.
            by: the player who plays, or `TO_ACT` (the default) for whoever is to act.

        Raises:
            IllegalPlayError: the play is not legal; `reason` names the rule.
            ParseError: the text cannot be read.
            IllegalActionError: this is not legal now, or not for this player.

        Examples:
            >>> m = MatchState.new(3).opening_roll(3, 1)
            >>> after = m.play("8/5 6/5")
            >>> after == m.play([(6, 5), (8, 5)])
            True
            >>> after == m.play(m.legal_plays.find("6/5 8/5"))
            True
            >>> after.on_roll
            Player.BLACK
        """
        player = self._allow(Action.PLAY, by)
        # every `Play` is legal in its own position
        if type(play) is Play and (play.before, play.dice) == (self.position, self.dice):
            after = play.position
        else:
            after = self.legal_plays.find(play).position
        outcome = after.outcome
        if outcome is not None:
            return self._decided(player, outcome.win, End.PLAYED, after)
        return self._turned(after, player.opponent, None)

    def double(self, *, by: PlayerLike | ToAct = TO_ACT) -> MatchState:
        """Offer the cube at twice its value before rolling; on_roll and position stay until it is answered.

        This is illegal in the Crawford game, if the opponent owns the cube, and if the cube is dead: a player whose
        score plus the cube reaches the match length has nothing to gain. (GNU Backgammon also looks at each player
        alone; US Tournament Rules 5.6 forbid it only if the game is the last for both.)

        Args:
            by: the player who acts, or `TO_ACT` (the default) for whoever is to act.

        Raises:
            IllegalActionError: this is not legal now, for this player, or under the rules.

        Examples:
            >>> m = MatchState.new(2).opening_roll(3, 1).play("8/5 6/5")
            >>> m.double().offer
            Double(by=Player.BLACK, value=2, beavers=0)
            >>> crawford = MatchState.new(2, score=(1, 0)).opening_roll(3, 1)
            >>> try:
            ...     crawford.play("8/5 6/5").double()
            ... except IllegalActionError as error:
            ...     print(error)
            Black cannot double: the Crawford game is played without doubling
        """
        player = self._allow(Action.DOUBLE, by)
        return self._with(offer=Double(player, 2 * self.cube.value))

    def take(self, *, by: PlayerLike | ToAct = TO_ACT) -> MatchState:
        """Accept the double. The doubler rolls, and the player who was doubled first owns the cube.

        Arguments and errors are those of `MatchState.double`.

        Examples:
            >>> m = MatchState.new(3).opening_roll(3, 1).play("8/5 6/5")
            >>> m = m.double(by=Player.BLACK).take(by=Player.WHITE)
            >>> m.cube, m.to_act
            (Cube(value=2, owner=Player.WHITE), Player.BLACK)
        """
        self._allow(Action.TAKE, by)
        return self._with(cube=cube_if_taken(self._double_to_answer()), offer=None)

    def drop(self, *, by: PlayerLike | ToAct = TO_ACT) -> MatchState:
        """Refuse the double and lose a single game at the value before it.

        A player who drops a beaver loses the value of their double; one who drops a raccoon, the value of their beaver.

        Arguments and errors are those of `MatchState.double`.

        Examples:
            >>> over = MatchState.new(3).opening_roll(3, 1).play("8/5 6/5").double().drop()
            >>> over.result.winner, over.result.points, str(over.result.end)
            (Player.BLACK, 1, 'dropped')
        """
        player = self._allow(Action.DROP, by)
        return self._decided(player.opponent, Win.SINGLE, End.DROPPED)

    def beaver(self, *, by: PlayerLike | ToAct = TO_ACT) -> MatchState:
        """Redouble the pending double at once. The doubler's redouble after a beaver, the raccoon, is a beaver too.

        The player who was doubled first will own the cube, however often it is redoubled. Only in money play. (GNU
        Backgammon manual, "Optional Rules".)

        Arguments and errors are those of `MatchState.double`.

        Examples:
            >>> money = MatchState.new(None, rules=Rules(beavers=2))
            >>> m = money.opening_roll(3, 1).play("8/5 6/5")
            >>> m.double().beaver().beaver().take().cube  # a beaver and a raccoon
            Cube(value=8, owner=Player.WHITE)
        """
        self._allow(Action.BEAVER, by)
        return self._with(offer=beavered(self._double_to_answer()))

    def resign(
        self, win: Win | WinWord = Win.SINGLE, *, by: PlayerLike | ToAct = TO_ACT
    ) -> MatchState:
        """Offer to lose the game at this level. Either player may, at any time during the game.

        The opponent accepts or declines. Any level may be offered, whatever the board: what to concede is up to the
        players. While a double is pending, the value at stake is what a drop would lose: the value before the offer, or
        after a beaver the value that the beaver has accepted already. With pip scoring, only a single game can be
        offered.

        Args:
            win: what the opponent would win, also as "single", "gammon" or "backgammon"; a single game by default.
            by: the player who resigns, or `TO_ACT` (the default) for whoever is to act.

        Raises:
            IllegalActionError: the game has not begun or is over, an offer to resign is pending, or `win` is more than
                a single game with pip scoring.
            ArgumentError: `win` is not a level.

        Examples:
            >>> m = MatchState.new(3).opening_roll(3, 1)
            >>> m.resign(Win.GAMMON, by=Player.BLACK).accept().result.points
            2
        """
        player = self._allow(Action.RESIGN, by)
        win = level(win)
        why_not = scoring.why_not_resign(self.rules, win)
        if why_not is not None:
            what = f"{player.title()} cannot resign a {level_name(win)}"
            raise IllegalActionError(f"{what}: {why_not.sentence}", why_not.reason)
        return self._with(offer=Resignation(player, win, self.pending_double))

    def accept(self, *, by: PlayerLike | ToAct = TO_ACT) -> MatchState:
        """Accept the resignation, which ends the game.

        Arguments and errors are those of `MatchState.double`.

        Examples:
            >>> over = MatchState.new(3).opening_roll(3, 1).resign(Win.GAMMON).accept()
            >>> over.score, over.result.win
            ((0, 2), <Win.GAMMON: 2>)
        """
        player = self._allow(Action.ACCEPT, by)
        assert isinstance(self.offer, Resignation)
        return self._decided(player, self.offer.win, End.RESIGNED)

    def decline(self, *, by: PlayerLike | ToAct = TO_ACT) -> MatchState:
        """Decline the resignation. Everything is as before the offer.

        Arguments and errors are those of `MatchState.double`.

        Examples:
            >>> m = MatchState.new(3).opening_roll(3, 1)
            >>> m.resign(Win.GAMMON).decline() == m
            True
        """
        self._allow(Action.DECLINE, by)
        return self._with(offer=self.pending_double)

    def next_game(
        self,
        starter: PlayerLike | None = None,
        *,
        position: Position | None = None,
        by: PlayerLike | ToAct = TO_ACT,
    ) -> MatchState:
        """Set up the next game.

        Args:
            starter: the player who starts, if that is agreed (in Portes, the winner of the last game). Then there is no
                opening roll: they roll both dice, and may double before that. None means that there is an opening roll.
            position: the first board, seen by White; None means the start position of the rules.
            by: either player; it makes no difference.

        Raises:
            IllegalActionError: the game is not over, or the match is over.
            ArgumentError: `starter` is neither a player nor None.
            MatchStateError: a game cannot start from `position`, or it is missing and this game has another number of
                checkers than the start position of the rules.

        Examples:
            >>> over = MatchState.new(3).opening_roll(3, 1).resign().accept()
            >>> over.next_game().phase, over.next_game(starter=Player.BLACK).to_act
            (<Phase.OPENING: 'opening'>, Player.BLACK)
            >>> over.next_game(position=Position.start("hypergammon")).position.checkers
            3
        """
        self._allow(Action.NEXT_GAME, by)
        if starter is not None:
            starter = player_of(starter, "starter")
        if position is None:
            position = self._start()
        crawford = scoring.crawford_after(
            self.rules, self.length, self.score, game_before=self.score_before
        )
        new = MatchState.new(
            self.length, rules=self.rules, position=position, score=self.score, crawford=crawford
        )
        if starter is None:
            return new
        return attrs.evolve(new, position=new.view(starter), on_roll=starter)

    def forfeit(self, loser: PlayerLike, points: int | None = None) -> MatchState:
        """End the game by an arbiter's decision: a player ran out of time, disconnected or is absent, for example.

        This is not an `Action`: players cannot do it, and it is never in `legal_actions`. A server or a referee decides
        it, at any time until the game is over, even before the opening roll or while an offer is pending. Board, turn
        and cube stay as they are.

        Args:
            loser: the player who forfeits the game.
            points: the points awarded to the opponent, at most the length of the match. None means as many as they
                still need to win the match; money play requires a number.

        Raises:
            IllegalActionError: the game is over.
            ArgumentError: `loser` is not a player, or these points cannot be awarded.

        Examples:
            >>> m = MatchState.new(5, score=(1, 0)).opening_roll(3, 1)
            >>> over = m.forfeit(Player.BLACK)
            >>> over.result.win, over.result.points, str(over.result.end)
            (None, 4, 'forfeited')
            >>> over.winner, MatchState.new(None).forfeit(Player.WHITE, points=2).score
            (Player.WHITE, (0, 2))
        """
        loser = player_of(loser, "loser")
        winner = loser.opponent
        if self.result is not None:
            why_not = self._why_not_in_this_phase(Action.RESIGN, loser)
            what = f"{loser.title()} cannot forfeit"
            raise IllegalActionError(f"{what}: {why_not.sentence}", why_not.reason)
        points = scoring.points_awarded(self.length, self.score[winner], points)
        return self._over(Result(winner, win=None, points=points, end=End.FORFEITED))

    def apply(self, event: RecordEvent | Action) -> MatchState:
        """Return the state after anything that a log holds: an action, a forfeit, or a position set by hand.

        `Action.TAKE` stands for `Event(Action.TAKE)`, as does each action that needs no argument.

        A next game takes its starter or its position from the event, so events can describe any match, even one with
        another start position or fewer checkers. What players send goes through `receive`, which takes nothing else
        from them than what they may decide.

        Raises:
            ArgumentError: `event` is none of these, or an action that needs an argument.
            GammonError: the action raised it, or the position set by hand makes an impossible state.

        Examples:
            >>> m = MatchState.new(3).apply(Event("opening_roll", argument=(3, 1)))
            >>> m == MatchState.new(3).opening_roll(white=3, black=1)
            True
            >>> m.apply(Forfeit(Player.BLACK)) == m.forfeit(Player.BLACK)
            True
            >>> doubled = m.play("8/5 6/5").apply(Action.DOUBLE)
            >>> doubled.apply(Action.TAKE) == doubled.take()
            True
        """
        if isinstance(event, Action):
            event = any_event(event)
        if not isinstance(event, Event):
            check_kind("event", event, Event | SetPosition | Forfeit | Action)
            return self._intervened(event)
        by = event.by
        argument: Any = event.argument  # which type it has depends on the action
        match event.action:
            case Action.ROLL:
                return self.roll(argument, by=by)
            case Action.PLAY:
                return self.play(argument, by=by)
            case Action.OPENING_ROLL:
                white, black = argument
                return self.opening_roll(white, black, by=by)
            case Action.RESIGN:
                return self.resign(argument, by=by)
            case Action.NEXT_GAME if isinstance(argument, Position):
                return self.next_game(position=argument, by=by)
            case Action.NEXT_GAME:
                return self.next_game(argument, by=by)
            case action:
                return _ACTIONS_WITHOUT_ARGUMENT[action](self, by=by)

    def _intervened(self, event: SetPosition | Forfeit) -> MatchState:
        """This state after an event that is no player's."""
        if isinstance(event, Forfeit):
            return self.forfeit(event.loser, event.points)
        return self._set_by_hand(event)

    def _set_by_hand(self, event: SetPosition) -> MatchState:
        """This state after a position set by hand, which is checked, since its board or cube may not fit the match."""
        cube = self.cube if event.cube is None else event.cube
        position = event.position
        on_roll = event.on_roll
        score = self.score_before
        result = None
        outcome = position.outcome
        if outcome is not None:
            if outcome.won:  # after the last play the loser is on roll
                position = position.flip()
                on_roll = on_roll.opponent
            result = self._result(on_roll.opponent, outcome.win, End.PLAYED, cube, position)
            score = scoring.add_points(score, result.winner, result.points)
        return attrs.evolve(
            self,
            position=position,
            on_roll=on_roll,
            dice=None,
            cube=cube,
            offer=None,
            score=score,
            result=result,
        )

    @overload
    def canonical(self, event: Event | Action) -> Event: ...
    @overload
    def canonical(self, event: RecordEvent | Action) -> RecordEvent: ...
    def canonical(self, event: RecordEvent | Action) -> RecordEvent:
        """The event in the form that records have, for a log: it leads to the same state, and says everything.

        It names the player who acts (`TO_ACT` in an opening roll and a next game, which are nobody's), a play is its
        canonical text, with its hits, a forfeit has its points, and a position set by hand its cube; one that ends the
        game names the loser.

        Raises:
            GammonError: the rules forbid the event; it is the error that `apply` raises.

        Examples:
            >>> m = MatchState.new(3).opening_roll(white=3, black=1)
            >>> m.canonical(Event("play", argument=[(6, 5), (8, 5)]))
            Event(action=<Action.PLAY: 'play'>, by=Player.WHITE, argument='8/5 6/5')
            >>> m.canonical(Forfeit(Player.BLACK))
            Forfeit(loser=Player.BLACK, points=3)
        """
        if isinstance(event, Action):
            event = any_event(event)
        return recorded(self, event)[0]

    def receive(
        self,
        message: Event | Mapping[str, object],
        player: PlayerLike,
        *,
        roll: Callable[[], Dice | tuple[int, int] | list[int]],
        starter: PlayerLike | None = None,
        position: Position | None = None,
    ) -> tuple[Event, MatchState]:
        """For a server: the event that a player has sent, and the state after it.

        It takes what the player may do now, with what a player decides: a play, or the level of a resignation. Dice,
        opening rolls, starters, boards, forfeits and what the other player does are never taken from a message. The
        event is `canonical`, for a log, and has the dice; `apply` repeats it.

        Args:
            message: an `Event` without dice, starter and board, or an object as JSON has it. Of its fields only
                `action` must be there. `argument` is the play (a text, moves or a `Play`) or the level ("gammon", for
                example; a single game without it), and absent or None for every other action. `type` and `version`
                are those of an `Event`. `by` is the sender or "to_act". `time` is ignored.
            player: who has sent it, as the connection says; None, the seat of a stranger, is refused.
            roll: throws two dice: called, once, for a legal roll or opening roll, and for nothing else. It returns two
                ints in the order thrown, White's first in an opening. A `Dice`, which has its higher face first, will
                do for a roll, but not in an opening, which White would always win.
            starter: who starts the next game, if that is agreed; only when a game is over.
            position: the first board of the next game as White sees it, only when a game is over, and instead of a
                starter. A game with another number of checkers than the start position of the rules needs it.

        Raises:
            IllegalActionError: the rules forbid the action now, or to this player; `player` is no player, or the
                message is for another one.
            IllegalPlayError: the play is not legal.
            ParseError: the object has other fields, another type or version; or the play cannot be read.
            ArgumentError: `message` is none, or has an argument that is not the player's; `roll` returns no two ints;
                `starter` or `position` does not fit.
            DiceError: `roll` returns what no die shows. What it raises itself is passed on.
            MatchStateError: no game can start from `position`, or it is missing.

        Examples:
            >>> import random
            >>> rng = random.Random(1)
            >>> def roll():
            ...     return rng.randint(1, 6), rng.randint(1, 6)
            >>> start = MatchState.new(5)
            >>> message = {"action": "opening_roll"}
            >>> event, m = start.receive(message, Player.WHITE, roll=roll)
            >>> event.argument, m.to_act
            ((2, 5), Player.BLACK)
            >>> message = {"action": "play", "argument": [[13, 8], [24, 22]]}
            >>> event, m = m.receive(message, Player.BLACK, roll=roll)
            >>> event.by, event.argument
            (Player.BLACK, '24/22 13/8')
            >>> message = {"action": "roll", "argument": [6, 6]}
            >>> try:
            ...     m.receive(message, Player.WHITE, roll=roll)
            ... except ValueError as error:
            ...     print(error)
            roll takes no argument, not [6, 6]: the server throws the dice
        """
        sender = sender_of(player)
        check_function("roll", roll)
        start = start_agreed(starter, position, is_over=self.result is not None)
        action, argument = read_message(message, sender)
        self._allow(action, sender)
        if action is Action.PLAY:
            argument = play_sent(argument)
        elif action in {Action.ROLL, Action.OPENING_ROLL}:
            argument = dice_thrown(action, roll())
        elif action is _NEXT_GAME:
            argument = start
        event: Event = any_event(action, sender, argument)
        return recorded(self, event)

    def _turned(self, position: Position, on_roll: Player, dice: Dice | None) -> MatchState:
        """The same as `_with` for these three fields, in fewer steps, since most turns change nothing else."""
        return _make_state(
            position,
            on_roll,
            dice,
            self.cube,
            self.offer,
            self.score,
            self.length,
            self.crawford,
            self.rules,
            self.result,
        )

    def _with(self, **changes: object) -> MatchState:
        """This state with some fields replaced, which are not checked, since a legal action leads to them."""
        fields = dict(zip(_FIELDS, _values_of(self), strict=True))
        fields.update(changes)  # which keeps their order
        return _make_state(*fields.values())

    def _start(self) -> Position:
        """The start position of the next game. Raises MatchStateError if it has another number of checkers."""
        start = Position.start(self.rules.start)
        checkers = self.position.checkers
        if checkers == start.checkers:
            return start
        why = f"the {self.rules.start} start has {counted(start.checkers, 'checker')} a side, this game {checkers}"
        raise MatchStateError(
            f"no next game: {why}: pass position=...", MatchStateProblem.NO_START_POSITION
        )

    def _decided(
        self, winner: Player, win: Win, end: End, after: Position | None = None
    ) -> MatchState:
        """This state with its game decided.

        `after` is the board after the last play, seen by the loser; None if the game ended by a drop or a resignation.
        """
        loser = winner.opponent
        cube = cube_that_counts(self.cube, self.pending_double)
        board_of_loser = self.view(loser) if after is None else after
        result = self._result(winner, win, end, cube, board_of_loser)
        if after is None:  # board and turn stay as they are
            return self._over(result, cube=cube)
        return self._over(result, cube=cube, position=after, on_roll=loser)

    def _result(
        self, winner: Player, win: Win, end: End, cube: Cube, board_of_loser: Position
    ) -> Result:
        """The result of a win under these rules with this cube; `board_of_loser` is the board as the loser sees it."""
        counted_win = min(win, scoring.highest_win(self.rules, self.length, cube))
        points = scoring.win_points(
            self.rules, cube.value, counted_win, loser_pips=board_of_loser.pip_count
        )
        return Result(winner, counted_win, points, end)

    def _over(self, result: Result, **changes: object) -> MatchState:
        """This state after its game, with this result."""
        score = scoring.add_points(self.score, result.winner, result.points)
        return self._with(dice=None, offer=None, score=score, result=result, **changes)

    def __str__(self) -> str:
        from gammonrules.draw.text import match_state

        return match_state(self)

    def _repr_svg_(self) -> str:
        from gammonrules.draw.svg import NOTEBOOK_STYLE, match_state

        return match_state(self, style=NOTEBOOK_STYLE)


@overload
def recorded(state: MatchState, event: Event) -> tuple[Event, MatchState]: ...
@overload
def recorded(state: MatchState, event: RecordEvent) -> tuple[RecordEvent, MatchState]: ...
def recorded(state: MatchState, event: RecordEvent) -> tuple[RecordEvent, MatchState]:
    """An event in the form that records have, `MatchState.canonical`, and the state after it."""
    after = state.apply(event)
    return canonical_event(state, event, after), after


def canonical_event(before: MatchState, event: RecordEvent, after: MatchState) -> RecordEvent:
    """An event that leads from one state to another, in the form that records have."""
    if isinstance(event, SetPosition):
        assert after.on_roll is not None  # it is the one whom the event names, or the loser
        return SetPosition(after.position, after.on_roll, after.cube)
    if isinstance(event, Forfeit):
        assert after.result is not None
        return Forfeit(event.loser, after.result.points)
    action = event.action
    is_nobodys = action in {Action.OPENING_ROLL, Action.NEXT_GAME}
    if is_nobodys:
        return make_event(action, TO_ACT, event.argument, event.time)
    by = before.to_act if event.by is TO_ACT else event.by
    argument: object = event.argument
    if action is Action.PLAY:
        argument = str(before.legal_plays.find(after.position))
    return make_event(action, by, argument, event.time)


def wins_left(state: MatchState, player: Player) -> frozenset[Win]:
    """The levels at which a player can still win by plays, of the roll that is on the table to begin with."""
    if state.on_roll is None:
        return frozenset(Win)  # nobody has begun
    rolls = None if state.dice is None else [state.dice]
    return wins_by_plays(state.position, rolls, is_on_roll=player is state.on_roll)


def levels_that_count(state: MatchState, winner: Player) -> list[Win]:
    """The levels of `wins_left` as they count if the game is resigned now, the lowest first."""
    cube = cube_that_counts(state.cube, state.pending_double)
    highest = scoring.highest_win(state.rules, state.length, cube)
    return sorted({min(level, highest) for level in wins_left(state, winner)})


_FIELDS = tuple(field.name for field in attrs.fields(MatchState))
_values_of = attrgetter(*_FIELDS)
_make_state = Maker(MatchState, *_FIELDS).make
_ACTIONS_WITHOUT_ARGUMENT: Mapping[Action, Callable[..., MatchState]] = {
    Action.DOUBLE: MatchState.double,
    Action.TAKE: MatchState.take,
    Action.DROP: MatchState.drop,
    Action.BEAVER: MatchState.beaver,
    Action.ACCEPT: MatchState.accept,
    Action.DECLINE: MatchState.decline,
}


explain_guesses(MatchState)
