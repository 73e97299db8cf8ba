"""The loop that plays the turns of all games that go on, with a cube and matches or without."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeAlias, TypeVar

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import Bools, Floats, Ints, Rows, first, numbers_for
from gammonrules._arrays.frozen_arrays import locked, read_only, unchecked
from gammonrules.batch._board_arrays import CHANCES, outcomes
from gammonrules.batch._evaluators import chances_fitting, cubeless_equity, finished, flipped
from gammonrules.batch._legal_plays import LegalPlays, legal_plays
from gammonrules.batch._match_states import MatchStates
from gammonrules.batch._random_streams import DiceOfGames, Stream
from gammonrules.batch._state_actions import codes_of
from gammonrules.batch._state_columns import NOBODY, Arrays
from gammonrules.batch._state_rules import ACTIONS, CODES, NO_ACTION
from gammonrules.batch._turns import Turns, padded, some_of
from gammonrules.board import Position, Win
from gammonrules.errors import ArgumentError, IllegalActionError
from gammonrules.match import Action
from gammonrules.values import counted, saying_where, shown

Choose: TypeAlias = Callable[[Turns, np.random.Generator], npt.ArrayLike]
"""Chooses the row of `points` that is played, for each board: `(N,)` of an integer dtype."""
Ending: TypeAlias = Callable[[Rows], npt.ArrayLike]
"""The equity of the player on roll on boards where games may end, or five chances; NaN elsewhere. A float dtype."""
CubePolicy: TypeAlias = Callable[[MatchStates, np.random.Generator], npt.ArrayLike]
"""Decides doubles and answers them: an action for each state, `(N,)`, as texts or numbers."""
_Function = TypeVar("_Function", bound=Callable[..., npt.ArrayLike])

MAX_TURNS = 10_000
"""More than any game has if the players want it to end: with random plays, one in a million has 1,000."""
_BEFORE_ROLLING = Action.ROLL, Action.DOUBLE
_ANSWERS = Action.TAKE, Action.DROP, Action.BEAVER


def any_play(turns: Turns, _: np.random.Generator) -> Ints:
    """Each play is equally likely; since it does not write into the turns, it gets no copy."""
    return turns.random_rows()


def roll_or_take(states: MatchStates, _: np.random.Generator) -> npt.NDArray[np.str_]:
    """Nobody doubles, and every double is taken."""
    return np.where(states.offered > 0, Action.TAKE, Action.ROLL)


@attrs.define(eq=False)
class GameBoards:
    """The boards of games without a cube, with the names of `MatchStates`."""

    points: Rows
    on_roll: Rows
    dice: Rows
    checkers: int

    def __getitem__(self, at: Ints | Bools | slice) -> GameBoards:
        return attrs.evolve(
            self, points=self.points[at], on_roll=self.on_roll[at], dice=self.dice[at]
        )

    @property
    def legal_plays(self) -> LegalPlays:
        return legal_plays(self.points, self.dice)


_Boards = TypeVar("_Boards", GameBoards, MatchStates)


@attrs.define(eq=False)
class _GamesInProgress(Generic[_Boards]):
    """Games in progress; the arrays of `games` are in the order of `boards`."""

    boards: _Boards
    choose: tuple[Choose, Choose]
    rng: np.random.Generator
    dice: DiceOfGames
    max_turns: int | None
    pad: tuple[int, ...]
    """The numbers of rows that turns are padded to; none if they are not."""
    games: Arrays = attrs.field(init=False)
    """For each game in progress what is known of it besides the board."""
    turns: list[Arrays] = attrs.field(init=False, factory=list)
    ended: list[Arrays] = attrs.field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        serial = np.arange(len(self.boards.points))
        self.games = {
            "matches": serial + self.dice.first,  # the number of the match
            "of_match": np.zeros_like(serial),  # the number of the game in it
            "serial": serial,  # how many games of the run have begun before
            "starters": np.zeros(len(serial), np.int8),
            "lengths": np.zeros_like(serial),  # how many turns have been played
        }

    def columns(self) -> dict[str, Any]:
        """All games, played to the end, and their turns, in the order of the matches."""
        all_games = np.arange(len(self.games["serial"]))
        self._open(all_games)
        # the first parts have no rows: they say which columns there are, even if nothing is played
        no_games = all_games[:0]
        no_moves = np.zeros((0, 4, 2), np.int8)
        self.turns.append(self._turn_columns(self.boards[:0], self.games["serial"][:0], no_moves))
        self.ended.append(self._game_columns(no_games))
        while len(self.games["serial"]):
            self._end_known()
            self._refuse_endless()
            self._end(self._are_at_limit())
            self._turn_cubes()
            self._play()
        columns = _sorted_by_match(self.ended, self.turns)
        # a game without a result is worth what `end` said, or is unknown
        results = columns["results"]
        is_stopped = results == 0
        known_equities = columns.get("equities", np.nan)
        known_chances = columns.get("chances", np.nan)
        columns["equities"] = np.where(is_stopped, known_equities, results)
        columns["chances"] = np.where(
            is_stopped[:, np.newaxis], known_chances, finished(results, (CHANCES,))
        )
        return columns

    def _play(self) -> None:
        """Play the next turn of all games."""
        if not len(self.games["serial"]):  # the last ones have just ended before a roll
            return
        self._roll()
        turns = turns_of(
            self.boards,
            self.dice.stream,
            matches=self.games["matches"],
            of_match=self.games["of_match"],
            numbers=self.games["lengths"],
        )
        rows = self._choose_rows(turns)
        self.turns.append(self._turn_columns(self.boards, self.games["serial"], turns.moves[rows]))
        self.games["lengths"] += 1
        over = self._advance(turns.points[rows], rows)
        self._end(over)

    def _choose_rows(self, turns: Turns) -> Ints:
        """The rows that are played, one for each game."""
        rows = np.empty(len(turns), np.int64)
        for choose, at in _by_player(self.choose, turns.on_roll, np.arange(len(turns))):
            are_all = len(at) == len(turns)
            turns_of_player = turns if are_all else some_of(turns, at)
            # a function of the caller gets copies, into which it cannot write
            is_of_caller = choose is not any_play
            turns_to_show = padded(turns_of_player, self.pad) if self.pad else turns_of_player
            if is_of_caller:
                turns_to_show = read_only(turns_to_show)
            chosen = rows_chosen(choose(turns_to_show, self.rng), turns_of_player)
            place_in_board = chosen - turns_of_player.offsets[:-1]
            rows[at] = turns.offsets[at] + place_in_board
        return rows

    def _refuse_endless(self) -> None:
        """Raise ArgumentError if no limit stops the games, and one has more turns than any that ends."""
        if self.max_turns is not None:
            return
        endless = first(self.games["lengths"] >= MAX_TURNS)
        if endless is not None:
            way_on = f"max_turns={MAX_TURNS} stops it here without a result, and keeps all others"
            raise ArgumentError(
                f"choose: {self._label(endless)} has not ended after {MAX_TURNS:,} turns; {way_on}"
            )

    def _are_at_limit(self) -> Bools:
        """Whether each game is stopped, since it has `max_turns`."""
        lengths = self.games["lengths"]
        at_limit: Bools = np.zeros(len(lengths), np.bool_)
        if self.max_turns is not None:
            at_limit = lengths >= self.max_turns
        return at_limit

    def _label(self, at: int) -> str:
        return self.dice.label.format(self.games["matches"][at], self.games["of_match"][at])

    def _end(self, over: Bools) -> None:
        """Keep the games that are over, and go on without them."""
        at = np.flatnonzero(over)
        if len(at):
            self.ended.append(self._game_columns(at))
            self._leave(over)

    def _leave(self, over: Bools) -> None:
        """Go on without these games."""
        self.boards = self.boards[~over]
        self.games = {name: array[~over] for name, array in self.games.items()}

    # What depends on the cube -----------------------------------------------------------------------------------------

    def _open(self, _at: Ints, /) -> None:
        """Throw for the start of these games."""

    def _end_known(self) -> None:
        """End the games whose equity is known."""

    def _turn_cubes(self) -> None:
        """Let those who may double decide, and those who must answer."""

    def _roll(self) -> None:
        """Roll the dice of all boards that have none."""
        raise NotImplementedError

    def _advance(self, _points: Rows, _rows: Ints, /) -> Bools:
        """Go on to the boards after these plays; returns which games are over."""
        raise NotImplementedError

    def _turn_columns(self, boards: _Boards, serial: Ints, moves: Rows) -> Arrays:
        return {"serial": serial, "points": boards.points, "dice": boards.dice, "moves": moves}

    def _game_columns(self, at: Ints) -> Arrays:
        columns = {name: array[at] for name, array in self.games.items()}
        columns["final"] = self.boards.points[at]
        return columns


@attrs.define(eq=False)
class RunOfGames(_GamesInProgress[GameBoards]):
    """Games without a cube, which all begin together and have the same side on roll."""

    opening: bool
    """Whether the first roll is an opening roll."""
    end: Ending | None

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if self.end is not None:
            number = len(self.boards.points)
            self.games["equities"] = np.full(number, np.nan)
            self.games["chances"] = np.full((number, CHANCES), np.nan)

    def _end_known(self) -> None:
        if self.end is None or self._is_opening_roll_next():
            return
        boards = self.boards
        values = _end_values(self.end(locked(boards.points)), len(boards.points), self._label)
        is_black_on_roll = boards.on_roll[0] == 1  # in all games, which began together
        if is_black_on_roll:
            values = flipped(values)
        equities = cubeless_equity(values)
        self.games["equities"] = equities
        if values.ndim > 1:
            self.games["chances"] = values
        self._end(~np.isnan(equities))

    def _roll(self) -> None:
        matches = self.games["matches"]
        of_match = self.games["of_match"]
        if self._is_opening_roll_next():
            self.boards.dice = self.dice.opening_rolls(matches, of_match)
        else:
            self.boards.dice = self.dice.rolls(matches, of_match, self.games["lengths"])

    def _is_opening_roll_next(self) -> bool:
        """Whether no game, of which all have as many turns, has begun with a roll yet."""
        turns = int(self.games["lengths"][0])
        return self.opening and turns == 0

    def _advance(self, points: Rows, _rows: Ints, /) -> Bools:
        self.boards = attrs.evolve(self.boards, points=points, on_roll=1 - self.boards.on_roll)
        over: Bools = outcomes(points, checkers=self.boards.checkers) != 0
        return over

    def _game_columns(self, at: Ints) -> Arrays:
        columns = super()._game_columns(at)
        boards = self.boards[at]
        losses = outcomes(boards.points, checkers=boards.checkers)  # the winner has just played
        is_white_on_roll = boards.on_roll == 0
        columns["results"] = np.where(is_white_on_roll, losses, -losses)  # above 0 if White won
        return columns


@attrs.define(eq=False)
class RunOfMatches(_GamesInProgress[MatchStates]):
    """Matches, or money games, with a cube."""

    cube: tuple[CubePolicy, CubePolicy] | None
    start: Position | None
    """The first board of every game, as White sees it; None for that of the rules."""
    begun: int = attrs.field(init=False)
    """How many games have begun, which is the serial number of the next one."""

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        number = len(self.boards)
        self.begun = number
        self.games["openings"] = np.zeros((number, 2), np.int8)
        self.games["ties"] = np.zeros((number, 0), np.int8)
        self.games["opening_cubes"] = np.zeros(number, np.int32)

    def _open(self, at: Ints, /) -> None:
        """Throw until one die is higher."""
        # ties are recorded where they double the cube: in money games, which all begin at once
        keeps_ties = self.boards.length is None and self.boards.rules.auto_doubles
        waiting = at
        throw = 0
        while len(waiting):
            rolls = self.dice.throws(
                self.games["matches"][waiting], self.games["of_match"][waiting], throw
            )
            cubes_before = self.boards.cube[waiting]
            self._act(waiting, CODES[Action.OPENING_ROLL], rolls)
            self.games["openings"][waiting] = rolls
            has_doubled = self.boards.cube[waiting] != cubes_before
            tied = rolls[:, 0] == rolls[:, 1]
            tied_faces = np.where(has_doubled, rolls[:, 0], 0)[tied]
            waiting = waiting[tied]
            throw += 1
            if keeps_ties and len(waiting):
                # each throw has a column, with 0 for the games in which it did not double the cube
                new_column = np.zeros((len(self.boards), 1), np.int8)
                new_column[waiting, 0] = tied_faces
                self.games["ties"] = np.hstack([self.games["ties"], new_column])
        self.games["starters"][at] = self.boards.on_roll[at]
        self.games["opening_cubes"][at] = self.boards.cube[at]

    def _act(
        self, at: Ints, codes: Ints | int, rolls: Rows | None = None, starts: Rows | None = None
    ) -> None:
        """Do these actions in some of the states, with a roll for each."""
        actions = np.full(len(self.boards), NO_ACTION)
        dice = np.zeros((len(self.boards), 2), np.int8)
        actions[at] = codes
        dice[at] = 0 if rolls is None else rolls
        self.boards = self.boards.apply(actions, dice=dice, starts=starts)

    def _turn_cubes(self) -> None:
        """Ask once in each game; games that begin after a drop are asked as well, until none begins."""
        if self.cube is None:
            return
        first_not_asked = 0  # a serial number
        while True:
            is_not_asked = self.games["serial"] >= first_not_asked
            who_may_double = np.flatnonzero(self.boards.may(Action.DOUBLE) & is_not_asked)
            if not len(who_may_double):
                return
            # the games that begin below, after a drop, count on from here
            first_not_asked = self.begun
            self._ask(self.cube, who_may_double)
            self._have_doubles_answered(self.cube)
            is_dropped = self.boards.won_by != NOBODY
            self._end(is_dropped)

    def _have_doubles_answered(self, cube: tuple[CubePolicy, CubePolicy]) -> None:
        """A beaver must be answered as well."""
        answering = np.flatnonzero(self.boards.offered > 0)
        while len(answering):
            self._ask(cube, answering)
            answering = np.flatnonzero(self.boards.offered > 0)

    def _ask(self, cube: tuple[CubePolicy, CubePolicy], at: Ints) -> None:
        """Do what the functions decide in these states, except rolling: `_roll` does it in all states at once."""
        codes = np.full(len(self.boards), NO_ACTION)
        for function, of_player in _by_player(cube, self.boards.to_act, at):
            decided = decisions(
                function,
                states=self.boards[of_player],
                rng=self.rng,
                at=of_player,
                label=self._label,
            )
            codes[of_player] = np.where(decided == CODES[Action.ROLL], NO_ACTION, decided)
        with saying_where("cube", IllegalActionError):
            self._act(at, codes[at])

    def _roll(self) -> None:
        at = np.flatnonzero(self.boards.dice[:, 0] == 0)
        if len(at):
            rolls = self.dice.rolls(
                self.games["matches"][at], self.games["of_match"][at], self.games["lengths"][at]
            )
            # `apply` would take twice as long, to see that these states may roll
            dice = self.boards.dice.copy()
            ascending = np.sort(rolls, axis=1)
            dice[at] = ascending[:, ::-1]  # states have the higher die first
            self.boards = self.boards._with({"dice": dice})  # noqa: SLF001

    def _advance(self, _: Rows, rows: Ints, /) -> Bools:
        self.boards = self.boards.apply(Action.PLAY, rows=rows)
        over: Bools = self.boards.won_by != NOBODY
        return over

    def _turn_columns(self, boards: MatchStates, serial: Ints, moves: Rows) -> Arrays:
        columns = super()._turn_columns(boards, serial, moves)
        columns["cubes"] = boards.cube
        columns["owners"] = boards.owners
        return columns

    def _game_columns(self, at: Ints) -> Arrays:
        columns = super()._game_columns(at)
        states = self.boards[at]
        has_white_won = states.won_by == 0
        columns["results"] = np.where(has_white_won, states.wins, -states.wins)
        columns["scores"] = states.scores_before
        columns["crawford"] = states.crawford
        columns["won"] = states.won
        columns["ends"] = states.ends
        return columns

    def _leave(self, over: Bools) -> None:
        """The next game of a match begins where one has ended that does not decide it."""
        states = self.boards
        leaving = over
        if states.length is not None:
            is_match_won = states.winner != NOBODY
            is_game_stopped = states.won_by == NOBODY
            leaving = over & (is_match_won | is_game_stopped)
        super()._leave(leaving)
        # of the states that are left, those whose game is over play the next one
        at = np.flatnonzero(self.boards.won_by != NOBODY)
        if not len(at):
            return
        starts = None
        if self.start is not None:
            board = np.array(self.start.points, np.int8)
            starts = np.tile(board, (len(self.boards), 1))
        self._act(at, CODES[Action.NEXT_GAME], starts=starts)
        # these arrays are new since `super()._leave`, so those that `turns` has kept do not change
        self.games["of_match"][at] += 1
        self.games["lengths"][at] = 0
        self.games["serial"][at] = np.arange(self.begun, self.begun + len(at))
        self.begun += len(at)
        self._open(at)


def _by_player(
    functions: tuple[_Function, _Function], players: Rows, at: Ints
) -> Iterator[tuple[_Function, Ints]]:
    """The boards for each function; all together if both are the same."""
    white, black = functions
    if white is black:
        yield white, at
        return
    for player, function in enumerate(functions):
        of_player = at[players[at] == player]
        if len(of_player):
            yield function, of_player


def turns_of(
    boards: GameBoards | MatchStates, stream: Stream, matches: Ints, of_match: Ints, numbers: Ints
) -> Turns:
    """The turns of these boards, in a run of games with this stream."""
    plays = boards.legal_plays
    return unchecked(
        Turns,
        offsets=plays.offsets,
        points=plays.points,
        moves=plays.moves,
        boards=boards.points,
        dice=boards.dice,
        games=matches,
        numbers=numbers,
        on_roll=boards.on_roll,
        _stream=stream,
        _of_match=of_match,
        states=boards if isinstance(boards, MatchStates) else None,
        checkers=boards.checkers,
    )


def decisions(
    cube: CubePolicy,
    states: MatchStates,
    rng: np.random.Generator,
    at: Ints,
    label: Callable[[int], str],
) -> Ints:
    """The actions that a function decides on in these states, all before a roll or all under an offer, as codes.

    Raises:
        ArgumentError: one is none of those that can be decided on; `label` names a game by its number, one of `at`.
    """
    decided = codes_of(cube(states, rng), len(states), "cube")
    if states.offered[0]:
        possible: tuple[Action, ...] = _ANSWERS
        expected = "take, drop or beaver"
    else:
        possible = _BEFORE_ROLLING
        expected = "roll or double"
    wrong = first(~np.isin(decided, [CODES[action] for action in possible]))
    if wrong is not None:
        decision = "no action"
        if decided[wrong] != NO_ACTION:
            decision = shown(str(ACTIONS[int(decided[wrong])]))
        raise ArgumentError(
            f"cube, index {wrong}: {label(int(at[wrong]))}: the decision is {expected}, not {decision}"
        )
    return decided


def rows_chosen(choice: npt.ArrayLike, turns: Turns, name: str = "choose") -> Ints:
    """The rows that `choose` returned, or the function with another name.

    Raises:
        ArgumentError: they are not one play of each board.
    """
    expected = f"{name} returns one row for each of {counted(len(turns), 'board', ',')}"
    # a copy, since another thread may change the numbers after they are checked
    rows = numbers_for(choice, name=name, number=len(turns), kinds="iu", expected=expected).copy()
    wrong = first((rows < turns.offsets[:-1]) | (rows >= turns.offsets[1:]))
    if wrong is not None:
        begin, end = turns.offsets[wrong : wrong + 2]
        sentence = (
            f"row {rows[wrong]} is not a play of this board, whose rows are {begin} to {end - 1}"
        )
        raise ArgumentError(f"{name}, index {wrong}: {sentence}")
    return rows.astype(np.int64, copy=False)


def _end_values(returned: npt.ArrayLike, boards: int, label: Callable[[int], str]) -> Floats:
    """The equities or chances that `end` returned, NaN where games go on.

    Raises:
        ArgumentError: they are not one number of points, or five chances, for each board.
    """
    expected = (
        f"end returns one float, or five chances, for each of {counted(boards, 'board', ',')}"
    )
    numbers = numbers_for(returned, "end", boards, "f", expected, (), (CHANCES,))
    values: Floats = numbers.astype(np.float64)
    if values.ndim > 1:
        ended = np.flatnonzero(~np.isnan(values).all(axis=1))  # a row with some NaN is refused next
        values[ended] = chances_fitting(
            values[ended], lambda row: f"end, index {ended[row]}: {label(int(ended[row]))}"
        )
    # NaN is not greater than anything
    wrong = first(np.abs(cubeless_equity(values)) > Win.BACKGAMMON)
    if wrong is not None:
        sentence = (
            f"an equity is from -3 to 3 points, or NaN where the game goes on, not {values[wrong]}"
        )
        raise ArgumentError(f"end, index {wrong}: {label(wrong)}: {sentence}")
    return values


def _sorted_by_match(ended: list[Arrays], turns: list[Arrays]) -> Arrays:
    """Games in the order of the matches, with the turns of each together; those of one game are already in order."""
    games = joined_columns(ended)
    order = np.lexsort((games["of_match"], games["matches"]))  # by the match, then by the game
    games = {name: array[order] for name, array in games.items()}
    lengths = games.pop("lengths")
    serial = games.pop("serial")
    offsets: Ints = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    # by the serial number of a game, the row of its next turn
    next_rows = np.empty(len(order), np.int64)
    next_rows[serial] = offsets[:-1]
    turn_columns: Arrays = {}
    number_of_turns = offsets[-1]
    for name, part in turns[0].items():  # all parts have the same columns
        if name != "serial":
            turn_columns[name] = np.empty((number_of_turns, *part.shape[1:]), part.dtype)
    for part_of_turns in turns:
        serial_of_turns = part_of_turns["serial"]
        rows = next_rows[serial_of_turns]
        next_rows[serial_of_turns] += 1
        for name, column in turn_columns.items():
            column[rows] = part_of_turns[name]
    return {**games, **turn_columns, "offsets": offsets}


def joined_columns(parts: list[Arrays]) -> Arrays:
    """The rows of all parts, column by column."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
