"""Many matches, or money games with a cube, played at the same time to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias, TypeVar, cast

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules.batch._checks import Bools, Ints, Rows, first as first_of
from gammonrules.batch._games import MOST_GAMES, MOST_TURNS, Choose, choosers, endless, rows_chosen
from gammonrules.batch._match_games import MatchGames
from gammonrules.batch._streams import DiceOfMatches, Stream, ThrowOfMatch, own_dice_of_matches
from gammonrules.batch._table_actions import codes_of
from gammonrules.batch._table_rules import ACTIONS, CODES, PHASES
from gammonrules.batch._table_states import NOBODY, Arrays
from gammonrules.batch._tables import Tables
from gammonrules.batch._turns import Turns
from gammonrules.batch.locking import read_only
from gammonrules.board.encoding import SLOTS
from gammonrules.errors import ArgumentError, IllegalActionError
from gammonrules.match import Action, Phase
from gammonrules.problems import whole_argument
from gammonrules.rules import Rules
from gammonrules.values import shown

CubePolicy: TypeAlias = Callable[[Tables, np.random.Generator], npt.ArrayLike]
"""Decides doubles and answers them: an action for each table, `(N,)`, as texts or numbers."""
_Function = TypeVar("_Function", bound=Callable[..., npt.ArrayLike])

_Kinds: TypeAlias = dict[str, tuple[type[np.generic], tuple[int, ...]]]

_TO_ROLL = PHASES.index(Phase.TO_ROLL)
_BEFORE_ROLLING = Action.ROLL, Action.DOUBLE
_ANSWERS = Action.TAKE, Action.DROP, Action.BEAVER


def play_matches(
    n: int,
    rng: np.random.Generator,
    choose: Choose | tuple[Choose, Choose],
    cube: CubePolicy | tuple[CubePolicy, CubePolicy] | None = None,
    *,
    length: int | None = 7,
    rules: Rules | None = None,
    score: Sequence[int] = (0, 0),
    first: int = 0,
    max_turns: int | None = None,
    dice: ThrowOfMatch | None = None,
) -> MatchGames:
    """Play matches with the cube at the same time; functions choose the plays and turn the cube.

    `choose` is the function of `play_games`. In its `turns`, `games` has the numbers of the matches, and `tables` has
    the score and the cube of every board.

    `cube` is asked whenever there is something to decide: with the tables whose player on roll may double, before they
    roll, and with those where a double, a beaver or a raccoon must be answered. All tables of one call are of the same
    kind. It returns an action for each, such as `np.where(chance > 0.7, Action.DOUBLE, Action.ROLL)`: ROLL or DOUBLE,
    and TAKE, DROP or (where `tables.may(Action.BEAVER)`) BEAVER as an answer. `tables.points` are the boards of the
    player on roll, who rolls next whatever the answer: the doubler. A network's chance of winning there is that of
    `tables.on_roll`, so subtract it from 1 where `tables.to_act` is the other player; `tables.view(tables.to_act)` has
    the boards as they see them.

    All matches advance together. Each game has its own dice, made from one number that is drawn from `rng` and the
    numbers of the match, of the game in the match and of the turn. So match i has the same dice however many matches
    there are, whoever plays, and if the players change seats. The same is true of `turns.random`, but not of
    what the functions draw from `rng`. `choose` and `cube` get copies, and may not write into them.

    Args:
        n: how many matches.
        rng: the source of the dice; the functions may draw from it as well.
        choose: chooses the plays, as in `play_games`. A tuple of two functions is White's and Black's.
        cube: decides about the cube: called with `Tables` and `rng`, returns `(N,)` texts of `Action` or their numbers.
            A tuple of two functions is White's and Black's. None: nobody doubles.
        length: points that win a match, 7 by default; None for money, where each match is one game.
        rules: the options; None means `TOURNAMENT` for matches and `MONEY` for money play.
        score: points of (White, Black) at which all matches begin.
        first: the number of the first match; the others follow.
        max_turns: after how many turns of one game its match is stopped, without a result; None for an error if a game
            has not ended after 10,000.
        dice: the caller's own dice instead: a function that gets the numbers of the matches, of the games in them and
            of the turns, all `(N,) int64`, and returns the rolls, `(N, 2)`. Turn 0 has White's die and Black's, who
            must differ; under `Rules(opening="reroll")` that is turn -1.

    Raises:
        ArgumentError: an argument is wrong, as in `play_games`; or `choose` or `cube` returned something of another
            shape or dtype or not a decision, or a game does not end.
        IllegalActionError: `cube` returned a beaver that the rules do not allow.
        MatchStateError: `length` or `score` is impossible.
        DiceError: `dice` is not a function, or returned invalid rolls or a tied opening roll.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import Action, Phase, batch
        >>> def choose(turns, rng):
        ...     return turns.best((turns.points <= -2).sum(axis=1))
        >>> def cube(tables, rng):
        ...     mine, theirs = batch.pip_counts(tables.view(tables.to_act)).T
        ...     offers = np.where(mine < 0.9 * theirs, Action.DOUBLE, Action.ROLL)
        ...     answers = np.where(mine < 1.2 * theirs, Action.TAKE, Action.DROP)
        ...     return np.where(tables.phase == Phase.DOUBLED, answers, offers)
        >>> rng = np.random.default_rng(2026)
        >>> games = batch.play_matches(100, rng, choose, cube, length=5)
        >>> len(games.match_winners), int(games.cubes.max()) >= 4
        (100, True)
    """
    begin = whole_argument("first", first, 0, MOST_GAMES)
    number = whole_argument("n", n, 0, MOST_GAMES - begin)
    limit = None if max_turns is None else whole_argument("max_turns", max_turns, 0, None)
    players = choosers(choose), _cube_functions(cube)
    tables = Tables.new(number, length, rules=rules, score=score)
    thrown = DiceOfMatches(Stream.drawn_from(rng), own_dice_of_matches(dice))
    return _Run(tables, np.arange(begin, begin + number), *players, rng, thrown, limit).play()


def _cube_functions(cube: object) -> tuple[CubePolicy, CubePolicy] | None:
    """The functions of both players."""
    if cube is None:
        return None
    sentence = f"cube must be a function, a tuple of two, or None, not {shown(cube)}"
    both = cast("tuple[CubePolicy, ...]", cube if isinstance(cube, tuple) else (cube, cube))
    if len(both) != 2 or not all(map(callable, both)):
        raise ArgumentError(sentence)
    return both


@attrs.define(eq=False)
class _Run:
    """Matches in progress. What is kept for each table is in the order of `tables`."""

    tables: Tables
    matches: Ints
    choose: tuple[Choose, Choose]
    cube: tuple[CubePolicy, CubePolicy] | None
    rng: np.random.Generator
    dice: DiceOfMatches
    max_turns: int | None
    kept: Arrays = attrs.field(init=False, factory=dict)
    """The number of the game in its match, of the turn in the game, and how the game began."""
    turns: list[Arrays] = attrs.field(init=False, factory=list)
    games: list[Arrays] = attrs.field(init=False, factory=list)

    def play(self) -> MatchGames:
        """All matches to the end."""
        number, start = len(self.tables), self.tables
        self.kept = {name: np.zeros((number, *shape), np.int64) for name, shape in _KEPT.items()}
        self._open(np.arange(number))
        while len(self.tables):
            self._go_on()
        return _games(start, self.turns, self.games)

    def _go_on(self) -> None:
        """The next turn of all games."""
        self._end(self._is_at_limit())
        while self._have_doubled():
            self._end(self.tables.won_by != NOBODY)  # dropped
        self._roll()
        self._play()
        self._end(self.tables.won_by != NOBODY)

    # The opening roll -------------------------------------------------------------------------------------------------

    def _open(self, at: Ints) -> None:
        """Throw until one die is higher. Ties are kept if they may double the cube."""
        reroll = self.tables.rules.opening == "reroll"
        self.kept["turn"][at], self.kept["asked"][at], self.kept["ties"][at] = 0, 0, 0
        waiting, throw = at, 0
        while len(waiting):
            games = self.matches[waiting], self.kept["of_match"][waiting]
            rolls = self.dice.opening_rolls(*games, throw, -1 if reroll else 0)
            self.tables = self._with_dice(Action.OPENING_ROLL, waiting, rolls)
            tied = rolls[:, 0] == rolls[:, 1]
            self._keep_ties(waiting[tied], rolls[tied, 0], throw)
            self.kept["openings"][waiting] = rolls
            waiting, throw = waiting[tied], throw + 1
        self.kept["starters"][at] = self.tables.on_roll[at]
        self.kept["opening_cubes"][at] = self.tables.cube[at]

    def _keep_ties(self, at: Ints, faces: Rows, throw: int) -> None:
        if not len(at) or self.tables.length is not None or not self.tables.rules.auto_doubles:
            return
        if throw == self.kept["ties"].shape[1]:
            self.kept["ties"] = np.pad(self.kept["ties"], ((0, 0), (0, 1)))
        self.kept["ties"][at, throw] = faces

    def _with_dice(self, action: Action, at: Ints, rolls: Rows) -> Tables:
        """The tables after this action at some of them, with a roll for each of these."""
        actions, dice = np.full(len(self.tables), -1), np.zeros((len(self.tables), 2), np.int8)
        actions[at], dice[at] = CODES[action], rolls
        return self.tables.apply(actions, dice=dice)

    # The cube ---------------------------------------------------------------------------------------------------------

    def _have_doubled(self) -> bool:
        """Ask those who may double, once a turn, and then those who must answer; False if nobody may."""
        at = np.flatnonzero(self.tables.may(Action.DOUBLE) & (self.kept["asked"] == 0))
        if self.cube is None or not len(at):
            return False
        self.kept["asked"][at] = 1
        self._ask(self.cube, at, _BEFORE_ROLLING)
        while len(answering := np.flatnonzero(self.tables.offered > 0)):
            self._ask(self.cube, answering, _ANSWERS)
        return True

    def _ask(self, cube: tuple[CubePolicy, CubePolicy], at: Ints, answers: tuple[Action, ...]) -> None:
        """Do what the functions decide at these tables; rolling is done later."""
        actions = np.full(len(self.tables), -1)
        for function, some in _by_player(cube, self.tables.to_act, at):
            asked = self.tables[some]
            decided = codes_of(function(asked, self.rng), len(some), "cube").copy()
            self._refuse_others(decided, some, answers)
            actions[some] = np.where(decided == CODES[Action.ROLL], -1, decided)
        try:
            self.tables = self.tables.apply(actions)
        except IllegalActionError as error:
            raise IllegalActionError(f"cube: {error}", error.reason) from None

    def _refuse_others(self, decided: Ints, at: Ints, answers: tuple[Action, ...]) -> None:
        wrong = first_of(~np.isin(decided, [CODES[answer] for answer in answers]))
        if wrong is not None:
            what = shown(str(ACTIONS[int(decided[wrong])])) if decided[wrong] >= 0 else "no action"
            expected = " or ".join(answers) if len(answers) == 2 else "take, drop or beaver"
            place = f"cube, index {wrong}: match {self.matches[at[wrong]]}"
            raise ArgumentError(f"{place}: the decision is {expected}, not {what}")

    # Plays ------------------------------------------------------------------------------------------------------------

    def _roll(self) -> None:
        at = np.flatnonzero(self.tables.phase_numbers == _TO_ROLL)
        if len(at):
            games = self.matches[at], self.kept["of_match"][at], self.kept["turn"][at]
            self.tables = self._with_dice(Action.ROLL, at, self.dice.rolls(*games))

    def _play(self) -> None:
        tables = self.tables
        if not len(tables):
            return
        plays, rows = tables.legal_plays, np.zeros(len(tables), np.int64)
        for choose, some in _by_player(self.choose, tables.on_roll, np.arange(len(tables))):
            turns = self._turns(tables[some], some)
            rows[some] = plays.offsets[some] + rows_chosen(choose(read_only(turns), self.rng), turns)
            rows[some] -= turns.offsets[:-1]
        self.turns.append(
            {
                "matches": self.matches,
                "of_match": self.kept["of_match"].copy(),
                "points": tables.points,
                "dice": tables.dice,
                "moves": plays.moves[rows],
                "cubes": tables.cube,
                "owners": tables.owners,
            }
        )
        self.tables = tables.apply(Action.PLAY, rows=rows)
        self.kept["turn"] += 1
        self.kept["asked"][:] = 0

    def _turns(self, tables: Tables, at: Ints) -> Turns:
        """What a function that chooses plays is given for these tables."""
        plays = tables.legal_plays
        sides = (tables.on_roll != self.kept["starters"][at]).astype(np.int8)
        numbers = self.matches[at], self.kept["turn"][at], sides
        found = plays.offsets, plays.points, plays.moves
        of_match = self.kept["of_match"][at]
        return Turns(*found, tables.points, tables.dice, *numbers, self.dice.stream, of_match, tables)

    # The end of games -------------------------------------------------------------------------------------------------

    def _is_at_limit(self) -> Bools:
        """Which games are stopped.

        Raises:
            ArgumentError: one would never end.
        """
        turn = self.kept["turn"]
        if self.max_turns is None and turn.max(initial=0) >= MOST_TURNS:
            at = int(turn.argmax())
            raise endless(f"match {self.matches[at]}, game {self.kept['of_match'][at]}", MOST_TURNS)
        stopped: Bools = turn == self.max_turns
        return stopped

    def _end(self, over: Bools) -> None:
        """Keep the games that are over, remove the matches that are, and begin the next games of the others."""
        at = np.flatnonzero(over)
        if not len(at):
            return
        tables, kept = self.tables[at], {name: array[at] for name, array in self.kept.items() if name in _GAME}
        kept |= {name: getattr(tables, array) for name, array in _OF_TABLES.items()}
        self.games.append({"matches": self.matches[at], **kept})
        self.kept["of_match"][at] += 1
        ended = over if tables.length is None else over & ((self.tables.winner >= 0) | (self.tables.won_by == NOBODY))
        self._leave(np.flatnonzero(~ended))
        self._begin(np.flatnonzero(self.tables.won_by != NOBODY))

    def _leave(self, at: Ints) -> None:
        """Go on with these tables only."""
        self.tables, self.matches = self.tables[at], self.matches[at]
        self.kept = {name: array[at] for name, array in self.kept.items()}

    def _begin(self, at: Ints) -> None:
        if len(at):
            actions = np.full(len(self.tables), -1)
            actions[at] = CODES[Action.NEXT_GAME]
            self.tables = self.tables.apply(actions)
            self._open(at)


_KEPT: dict[str, tuple[int, ...]] = {
    "of_match": (),
    "turn": (),
    "asked": (),
    "starters": (),
    "openings": (2,),
    "ties": (0,),
    "opening_cubes": (),
}
"""The shapes of what is kept for each table."""
_OF_TABLES = {
    "scores": "scores_before",
    "crawford": "crawford",
    "winners": "won_by",
    "wins": "wins",
    "won": "won",
    "ends": "ends",
    "final": "points",
}
"""What is kept of a finished game, and the array of its table."""
_GAME: _Kinds = {
    "matches": (np.int64, ()),
    "of_match": (np.int64, ()),
    "starters": (np.int8, ()),
    "openings": (np.int8, (2,)),
    "ties": (np.int8, (0,)),
    "opening_cubes": (np.int32, ()),
    "scores": (np.int32, (2,)),
    "crawford": (np.bool_, ()),
    "winners": (np.int8, ()),
    "wins": (np.int8, ()),
    "won": (np.int32, ()),
    "ends": (np.int8, ()),
    "final": (np.int8, (SLOTS,)),
}
_TURN: _Kinds = {
    "matches": (np.int64, ()),
    "of_match": (np.int64, ()),
    "points": (np.int8, (SLOTS,)),
    "dice": (np.int8, (2,)),
    "moves": (np.int8, (4, 2)),
    "cubes": (np.int32, ()),
    "owners": (np.int8, ()),
}
"""The dtypes and shapes of what is kept of games and turns."""


def _by_player(functions: tuple[_Function, _Function], players: Rows, at: Ints) -> Iterator[tuple[_Function, Ints]]:
    """The tables for each function; all together if both are the same."""
    white, black = functions
    if white is black:
        yield white, at
        return
    for player, function in enumerate(functions):
        some = at[players[at] == player]
        if len(some):
            yield function, some


# The result -----------------------------------------------------------------------------------------------------------


def _games(start: Tables, turns: list[Arrays], games: list[Arrays]) -> MatchGames:
    """Turns and games in the order of the matches; those of one match are already in order."""
    widest = max((game["ties"].shape[1] for game in games), default=0)
    for game in games:
        game["ties"] = np.pad(game["ties"], ((0, 0), (0, widest - game["ties"].shape[1])))
    of_games, of_turns = _in_order(games, _GAME), _in_order(turns, _TURN)
    ends = np.searchsorted(_keys(of_turns), _keys(of_games), side="right")
    won_by_starter, wins = of_games["winners"] == of_games["starters"], of_games.pop("wins")
    columns: dict[str, Any] = {**of_turns, **of_games}
    return MatchGames(
        offsets=np.concatenate([np.zeros(1, np.int64), ends]),
        results=np.where(won_by_starter, wins, -wins),
        checkers=start.checkers,
        start=start.rules.start,
        length=start.length,
        rules=start.rules,
        **columns,
    )


def _in_order(parts: list[Arrays], kinds: _Kinds) -> Arrays:
    """The parts one after another, sorted by match and game."""
    whole = {
        name: np.concatenate([part[name] for part in parts]).astype(dtype) if parts else np.zeros((0, *shape), dtype)
        for name, (dtype, shape) in kinds.items()
    }
    order = np.argsort(_keys(whole), kind="stable")
    return {name: array[order] for name, array in whole.items()}


def _keys(whole: Arrays) -> Ints:
    """The number of each game, and of the game of each turn, among all: match numbers go up to 2**32."""
    keys: Ints = (whole["matches"] << 31) | whole["of_match"]
    return keys
