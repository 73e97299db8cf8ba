"""The model of a match with the flat states and actions of the conformance suite, and with one rule wrong."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from table_model import Table

import reference

SEATS = ("white", "black")
WINS = (None, "single", "gammon", "backgammon")
State = dict[str, Any]


class Refused(Exception):  # noqa: N818 - what the answer says
    """The rules forbid this action now."""


def number(name: str | None) -> int | None:
    return None if name is None else SEATS.index(name)


def name(seat: int | None) -> str | None:
    return None if seat is None else SEATS[seat]


class FlatTable(Table):
    """A table in this state."""

    def __init__(self, state: State) -> None:
        result, white = state["result"], state["points"]
        score = list(state["score"])
        if result:
            score[number(result["winner"])] -= result["points"]
        if state["on_roll"] == "black":
            white = [-count for count in reversed(white)]
        super().__init__(state["length"], state["rules"], tuple(score), white, state.get("checkers", 15))
        self.had_crawford = 1 in self.missing()
        self.score = list(state["score"])
        self.crawford, self.turn = state["crawford"], number(state["on_roll"])
        self.cube, self.owner, self.ties = state["cube"], number(state["owner"]), state["cube"].bit_length() - 1
        self.dice = set(state["dice"]) if state["dice"] else None
        self._offer(state["offer"])
        self.phase = self._phase(state)
        if result:
            win = WINS.index(result["win"]) or None
            self.result = (number(result["winner"]), win, result["points"], result["end"])

    def _offer(self, offer: State | None) -> None:
        if offer is None:
            return
        double = offer if offer["type"] == "Double" else offer["double"]
        self.doubled = double["beavers"] + 1 if double else None
        if offer["type"] == "Resignation":
            before = "doubled" if double else "to_play" if self.dice else "to_roll"
            self.resigned = (number(offer["by"]), WINS.index(offer["win"]), before)

    def _phase(self, state: State) -> str:
        if state["result"]:
            return "over"
        if self.turn is None:
            return "opening"
        if self.resigned:
            return "resigned"
        if self.doubled:
            return "doubled"
        return "to_play" if self.dice else "to_roll"

    def flat(self) -> State:
        """The state of this table."""
        seat = 0 if self.turn is None else self.turn
        points = reference.signed((self._side(seat), self._side(1 - seat)))
        dice = sorted((self.dice or ()), reverse=True)
        return {
            "length": self.length,
            "score": self.score,
            "crawford": self.crawford,
            "rules": self.rules,
            "on_roll": name(self.turn),
            "points": list(points),
            **({} if self.checkers == 15 else {"checkers": self.checkers}),
            "dice": dice * (2 if len(dice) == 1 else 1) or None,
            "cube": self.cube,
            "owner": name(self.owner),
            "offer": self._flat_offer(),
            "result": self._flat_result(),
        }

    def _side(self, seat: int) -> reference.Side:
        counts = self.board[seat][1:]
        return (self.checkers - sum(counts), *counts)

    def _flat_offer(self) -> State | None:
        double = self.doubled and {"by": name(self.turn), "value": self.offered(), "beavers": self.doubled - 1}
        if self.resigned:
            seat, level, _ = self.resigned
            return {"type": "Resignation", "by": name(seat), "win": WINS[level], "double": double or None}
        return {"type": "Double", **double} if double else None

    def _flat_result(self) -> State | None:
        if self.result is None:
            return None
        winner, level, points, end = self.result
        return {"winner": name(winner), "win": WINS[level or 0], "points": points, "end": end}

    # actions

    def act(self, action: State) -> None:
        """Do it, or raise Refused."""
        do, seat = action["do"], number(action.get("by"))
        if do == "forfeit":
            self.award(seat, action["points"])
            return
        if do not in self.may(0 if seat is None else seat):
            raise Refused
        match do:
            case "opening_roll":
                self.opening_roll(action["white"], action["black"])
            case "roll":
                self.roll(tuple(action["dice"]))
            case "play":
                self._play_if_legal([tuple(move) for move in action["moves"]])
            case "resign":
                self._resign_at(seat, WINS.index(action["win"]))
            case "next_game":
                start = START_OF[self.rules["start"]]
                points = list(reference.signed((start, start)))
                self.next_game(number(action.get("starter")), points, sum(start))
            case _:
                getattr(self, do)()

    def award(self, seat: int, points: int | None) -> None:
        if self.phase == "over" or (points is None and self.length is None):
            raise Refused
        if points is None:
            points = self.missing()[1 - seat]
        elif self.length is not None and points > self.length:
            raise Refused
        self.forfeit(seat, points)

    def _resign_at(self, seat: int, level: int) -> None:
        if self.rules["scoring"] == "pips" and level > 1:
            raise Refused
        self.resign(seat, level)

    def _play_if_legal(self, moves: list[tuple[int, int]]) -> None:
        board, dice = (self._side(self.turn), self._side(1 - self.turn)), sorted(self.dice, reverse=True)
        roll = (dice[0], dice[-1])
        if not is_legal(board, roll, *moves):
            raise Refused
        self.play(moves)


@lru_cache(maxsize=1000)
def is_legal(board: reference.Board, roll: tuple[int, int], *moves: tuple[int, int]) -> bool:
    """Whether these are single moves, one for each die that can be played, in an order in which they lead to a play."""
    return len(moves) == reference.numbers_played(board, roll) and any(
        after in reference.results(board, roll)
        for order in reference.orders(roll)
        for after in _after(board, order, moves)
    )


def _after(board: reference.Board, order: tuple[int, ...], moves: Iterable[tuple[int, int]]) -> list[reference.Board]:
    boards = [board]
    for die, move in zip(order, moves, strict=False):
        boards = [
            after for before in boards for step, after in reference.steps(before, die) if (step.start, step.end) == move
        ]
    return boards


START_OF = {
    "standard": reference.side({24: 2, 13: 5, 8: 3, 6: 5}),
    "nackgammon": reference.side({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
    "longgammon": reference.side({24: 15}),
    "hypergammon": reference.side({24: 1, 23: 1, 22: 1}, 3),
    "hypergammon2": reference.side({24: 1, 23: 1}, 2),
    "hypergammon1": reference.side({24: 1}, 1),
}


def answer(state: State, action: State, table: type[FlatTable] = FlatTable) -> State:
    """The next state, or that the action is refused."""
    at = table(state)
    try:
        at.act(action)
    except Refused:
        return {"refused": True}
    return {"state": at.flat()}


# --- with one rule wrong ----------------------------------------------------------------------------------------------

WAYS: dict[str, tuple[str, type[FlatTable]]] = {}
"""Each wrong way, with the key of its rule and a table that plays so."""


def wrong(rule: str, way: str, **changes: Any) -> None:
    WAYS[way] = (rule, type("Wrong", (FlatTable,), changes))


def _with(key: str, value: Any) -> Any:
    """A table whose rules are others than agreed, though it reports those agreed."""

    def build(self: Any, state: State) -> None:
        FlatTable.__init__(self, state)
        self.agreed, self.rules = self.rules, self.rules | {key: value}

    def flat(self: Any) -> State:
        return FlatTable.flat(self) | {"rules": self.agreed}

    return {"__init__": build, "flat": flat}


def _while(do: str, *kept: str, **fields: Any) -> Any:
    """This is done as if the table had these fields; it gets its own back, and those that are kept."""

    def doing(self: Any, *arguments: Any) -> Any:
        before = {name: getattr(self, name) for name in (*kept, *fields)}
        self.__dict__.update({name: value(self) if callable(value) else value for name, value in fields.items()})
        done = getattr(FlatTable, do)(self, *arguments)
        self.__dict__.update(before)
        return done

    return {do: doing}


def _under(do: str, **options: Any) -> Any:
    """This is done under rules with these options."""
    return _while(do, rules=lambda table: table.rules | options)


def _may_double(change: Any) -> Any:
    return {"may_double": lambda self, seat: change(self, seat, FlatTable.may_double(self, seat))}


def _level(way: str, change: Any) -> None:
    def level_on_board(self: Any, loser: int) -> int:
        return change(self, loser, FlatTable.level_on_board(self, loser))

    wrong("win", way, level_on_board=level_on_board)


def _crawford(way: str, change: Any) -> None:
    def set_up(self: Any, points: list[int], checkers: int) -> None:
        FlatTable.set_up(self, points, checkers)
        self.crawford = change(self, self.crawford)

    wrong("crawford-game", way, set_up=set_up)


def _hit_for_good(self: Any, moves: list[tuple[int, int]]) -> None:
    other = self.board[1 - self.turn]
    on_the_bar = other[25]
    FlatTable.play(self, moves)
    other[25] = on_the_bar


wrong("play", "no play is legal", may=lambda self, seat: FlatTable.may(self, seat) - {"play"})
wrong("play", "the turn does not pass", **_while("play", "turn"))
wrong("play", "the dice stay", **_while("play", "dice"))
wrong("play", "a hit checker is gone", play=_hit_for_good)
wrong("play", "no roll is legal", may=lambda self, seat: FlatTable.may(self, seat) - {"roll"})
wrong("play", "any moves are taken", _play_if_legal=lambda self, moves: self.play(moves))


def _to_a_right_board(self: Any, moves: list[tuple[int, int]]) -> None:
    dice, after = sorted(self.dice, reverse=True), FlatTable(self.flat())
    after.play(moves)
    boards = reference.results((self._side(self.turn), self._side(1 - self.turn)), (dice[0], dice[-1]))
    if (after._side(self.turn), after._side(1 - self.turn)) not in boards:
        raise Refused
    self.play(moves)


wrong("play", "any moves to a right board are taken", _play_if_legal=_to_a_right_board)


def _empty_refused(self: Any, moves: list[tuple[int, int]]) -> None:
    if not moves:
        raise Refused
    FlatTable._play_if_legal(self, moves)


def _empty_taken(self: Any, moves: list[tuple[int, int]]) -> None:
    (FlatTable._play_if_legal if moves else FlatTable.play)(self, moves)


def _danced_at_once(self: Any, dice: tuple[int, int]) -> None:
    FlatTable.roll(self, dice)
    if not reference.numbers_played((self._side(self.turn), self._side(1 - self.turn)), dice):
        self.play([])


def _higher_first(self: Any, moves: list[tuple[int, int]]) -> None:
    pips = [source - target for source, target in moves]
    if pips and pips[0] < max(pips):
        raise Refused
    FlatTable._play_if_legal(self, moves)


wrong("play", "the higher die is always played first", _play_if_legal=_higher_first)
wrong("dance", "an empty play is refused", _play_if_legal=_empty_refused)
wrong("dance", "an empty play is always taken", _play_if_legal=_empty_taken)
wrong("dance", "a dance is over at once", roll=_danced_at_once)
_level("every win is single", lambda table, loser, level: 1)
_level("a backgammon is a gammon", lambda table, loser, level: min(2, level))
_level(
    "the bar makes no backgammon",
    lambda table, loser, level: level if level < 3 else 3 if sum(table.board[loser][19:25]) else 2,
)
_level("a backgammon with a checker off", lambda table, loser, level: 3 if sum(table.board[loser][19:]) else level)
_level(
    "a backgammon needs more than the winner's 6 point",
    lambda table, loser, level: level if level < 3 or sum(table.board[loser][20:]) else 2,
)
_level(
    "a backgammon from the winner's bar point",
    lambda table, loser, level: 3 if level == 2 and table.board[loser][18] else level,
)
_level(
    "a gammon with a checker off",
    lambda table, loser, level: 2 if table.on_board(loser) == table.checkers - 1 else level,
)
_level("15 checkers in every game", lambda table, loser, level: level if table.on_board(loser) == 15 else 1)
wrong("level", "no Jacoby rule", **_with("jacoby", value=False))
wrong("level", "always the Jacoby rule", **_with("jacoby", value=True))
wrong("level", "gammons always count", **_with("gammons", value=True))
wrong("level", "backgammons always count", **_with("backgammons", value=True))


wrong("level", "the Jacoby rule in matches", **_while("finish", length=None))


wrong("level", "the Jacoby rule whoever owns the cube", **_while("finish", owner=None))


wrong(
    "level",
    "no Jacoby rule without a cube",
    **_while("finish", rules=lambda table: table.rules | {"jacoby": table.rules["jacoby"] and table.rules["cube"]}),
)


wrong(
    "level",
    "an automatic double ends the Jacoby rule",
    **_while("finish", owner=lambda table: None if table.cube == 1 else 0),
)


wrong("points", "the cube does not count", **_while("finish", cube=1))
wrong("points", "no pip scoring", **_with("scoring", value="points"))
wrong("points", "the winner's pips count", pips=lambda self, seat: FlatTable.pips(self, 1 - seat))


wrong("double", "anybody doubles", **_while("may_double", owner=None))
wrong("double", "only the owner doubles", **_may_double(lambda self, seat, right: right and self.owner is not None))
wrong("double", "the cube has no limit", below_limit=lambda self, value: True)
wrong(
    "double",
    "the limit is not reached",
    below_limit=lambda self, value: FlatTable.below_limit(self, value) and 2 * value != self.rules["max_cube"],
)
wrong("double", "there is always a cube", **_with("cube", value=True))
wrong("double", "nobody redoubles", **_may_double(lambda self, seat, right: right and self.owner is None))
wrong(
    "double",
    "there is a limit of 64",
    below_limit=lambda self, value: value < 64 and FlatTable.below_limit(self, value),
)


def _one_more(self: Any) -> State | None:
    offer = FlatTable._flat_offer(self)
    return offer | {"value": self.cube + 1} if self.doubled == 1 and not self.resigned else offer


wrong("double", "one more is offered", _flat_offer=_one_more)
wrong(
    "double",
    "a centered cube is turned once",
    **_may_double(lambda self, seat, right: right and not (self.owner is None and self.cube > 1)),
)
wrong(
    "double",
    "a limit in money play alone",
    below_limit=lambda self, value: bool(self.length) or FlatTable.below_limit(self, value),
)
wrong("dead-cube", "no cube is dead", **_while("may_double", length=None))


wrong("dead-cube", "dead by the opponent's score", **_while("may_double", score=lambda table: table.score[::-1]))
wrong(
    "dead-cube",
    "dead by the value offered",
    **_may_double(lambda self, seat, right: right and not (self.length and 2 * self.cube >= self.missing()[seat])),
)


def _take_for(seat_of: Any, roller: Any) -> Any:
    def take(self: Any) -> None:
        FlatTable.take(self)
        self.owner = seat_of(self)
        self.turn = roller(self)

    return {"take": take}


wrong("take", "the doubler owns the cube", **_take_for(lambda self: self.turn, lambda self: self.turn))
wrong("take", "the cube stays in the middle", **_take_for(lambda self: None, lambda self: self.turn))
wrong("take", "who takes rolls", **_take_for(lambda self: 1 - self.turn, lambda self: 1 - self.turn))


def _leave_at_the_offer(self: Any, winner: int, level: int, how: str) -> None:
    if self.doubled:
        self.cube = self.offered()
    self.finish(winner, level, how)


wrong("drop", "a drop loses the value offered", leave=_leave_at_the_offer)


def _drop_gammon(self: Any) -> None:
    winner = 1 - self.actor()
    self.leave(winner, max(1, self.level_on_board(1 - winner)), "dropped")


wrong("drop", "a drop loses what the board shows", drop=_drop_gammon)
wrong("drop", "the wrong player wins", drop=lambda self: self.leave(self.actor(), 1, "dropped"))


def _below_the_limit(self: Any, seat: int) -> set[str]:
    reaches_it = self.doubled and 2 * self.offered() == self.rules["max_cube"]
    return FlatTable.may(self, seat) - ({"beaver"} if reaches_it else set())


wrong("beaver", "no beavers", **_with("beavers", value=0))
wrong("beaver", "any number of beavers", **_with("beavers", value=99))


def _beavers_in_matches(self: Any, seat: int) -> set[str]:
    allowed = FlatTable.may(self, seat)
    if self.phase == "doubled" and seat == self.actor() and self.length and self.doubled <= self.rules["beavers"]:
        allowed.add("beaver")
    return allowed


wrong("beaver", "beavers in matches", may=_beavers_in_matches)


def _beaver_taken(self: Any) -> None:
    self.doubled += 1
    self.take()


wrong("beaver", "a beaver is not answered", beaver=_beaver_taken)
wrong("beaver", "a beaver stays below the limit", may=_below_the_limit)
wrong(
    "beaver",
    "the doubler never answers",
    actor=lambda self: 1 - self.turn if self.phase == "doubled" else FlatTable.actor(self),
)


def _once_more(table: Any) -> State:
    return table.rules | {"auto_doubles": table.rules["auto_doubles"] and table.rules["auto_doubles"] + 1}


wrong("auto-double", "no automatic doubles", **_with("auto_doubles", value=0))
wrong("auto-double", "any number of automatic doubles", **_with("auto_doubles", value=99))


wrong("auto-double", "an automatic double more than agreed", **_while("opening_roll", rules=_once_more))


wrong("auto-double", "automatic doubles in matches", **_while("opening_roll", length=None))
wrong("auto-double", "automatic doubles beyond the limit", **_under("opening_roll", max_cube=None))


wrong("auto-double", "automatic doubles without a cube", **_under("opening_roll", cube=True))
wrong("crawford-game", "no Crawford game", **_with("crawford", value=False))
wrong("crawford-game", "always the Crawford rule", **_with("crawford", value=True))


def _is_at_one(self: Any) -> bool:
    return self.rules["crawford"] and 1 in self.missing()


_crawford("every game at one point away", lambda table, right: _is_at_one(table))
_crawford(
    "also where both are one point away",
    lambda table, right: right or (table.rules["crawford"] and table.missing() == [1, 1]),
)
_crawford("the game at two points away", lambda table, right: table.rules["crawford"] and 2 in table.missing())


def _no_crawford_after(end: str) -> Any:
    def next_game(self: Any, starter: int | None, points: list[int], checkers: int) -> None:
        how = self.result[3]
        FlatTable.next_game(self, starter, points, checkers)
        self.crawford = self.crawford and how != end

    return {"next_game": next_game}


for end in ("dropped", "resigned", "forfeited"):
    wrong("crawford-game", f"none after a game that was {end}", **_no_crawford_after(end))
_crawford("none in matches to 2", lambda table, right: right and table.length != 2)
wrong("crawford-cube", "doubling in the Crawford game", **_while("may_double", crawford=False))


def _post_crawford(self: Any, seat: int) -> bool:
    at_one = self.rules["crawford"] and 1 in self.missing()
    return FlatTable.may_double(self, seat) and not at_one


wrong("crawford-cube", "no doubling after the Crawford game", may_double=_post_crawford)
wrong(
    "crawford-cube",
    "no doubling at one point away without the Crawford rule",
    **_may_double(lambda self, seat, right: right and (self.rules["crawford"] or 1 not in self.missing())),
)


def _resign_in_turn(self: Any, seat: int) -> set[str]:
    return FlatTable.may(self, seat) - ({"resign"} if seat != self.actor() else set())


wrong("resignation", "only who is to act resigns", may=_resign_in_turn)


def _resign_single(self: Any) -> None:
    seat, _, _ = self.resigned
    self.leave(1 - seat, 1, "resigned")


def _resign_board(self: Any) -> None:
    seat, _, _ = self.resigned
    self.leave(1 - seat, self.level_on_board(seat), "resigned")


wrong("resignation", "every resignation is single", accept=_resign_single)
wrong("resignation", "a resignation loses what the board shows", accept=_resign_board)


def _resign_and_win(self: Any) -> None:
    seat, level, _ = self.resigned
    self.leave(seat, level, "resigned")


wrong("resignation", "who resigns wins", accept=_resign_and_win)
wrong("resignation", "a gammon is resigned with pip scoring", _resign_at=FlatTable.resign)


wrong("resignation", "no Jacoby rule in a resignation", **_under("accept", jacoby=False))


def _decline_to_roll(self: Any) -> None:
    self.phase, self.resigned, self.dice, self.doubled = "to_roll", None, None, None


def _lower_resigns(self: Any, seat: int, level: int) -> None:
    self.leave(1 - seat, level, "resigned")


wrong("resignation", "after a refusal the turn begins again", decline=_decline_to_roll)
wrong("resignation", "nobody is asked", resign=_lower_resigns)


def _not_under(least: int) -> Any:
    def may(self: Any, seat: int) -> set[str]:
        return FlatTable.may(self, seat) - ({"resign"} if (self.doubled or 0) >= least else set())

    return {"may": may}


def _resign_at_the_base(self: Any) -> None:
    seat, level, _ = self.resigned
    self.finish(1 - seat, level, "resigned")


def _resign_one_pip(self: Any) -> None:
    seat, _, _ = self.resigned
    FlatTable.accept(self)
    if self.rules["scoring"] == "pips":
        self.score[1 - seat] += 1 - self.result[2]
        self.result = (1 - seat, 1, 1, "resigned")


wrong("resignation", "nobody resigns under a double", **_not_under(1))
wrong("resignation", "nobody resigns under a beaver", **_not_under(2))
wrong("resignation", "a resignation under a beaver loses the value before it all", accept=_resign_at_the_base)
wrong("resignation", "a resignation under a beaver leaves the cube", **_while("accept", "cube", "owner"))
wrong("resignation", "a resignation with pip scoring is one point", accept=_resign_one_pip)
wrong(
    "resignation",
    "a resignation concedes the difference of pips",
    pips=lambda self, seat: abs(FlatTable.pips(self, 0) - FlatTable.pips(self, 1)),
)


def _resign_forgets_beavers(self: Any, seat: int, level: int) -> None:
    self.doubled = self.doubled and 1
    FlatTable.resign(self, seat, level)


wrong("resignation", "a resignation ends the beavers", resign=_resign_forgets_beavers)
wrong(
    "resignation",
    "nobody resigns with pip scoring",
    may=lambda self, seat: FlatTable.may(self, seat) - ({"resign"} if self.rules["scoring"] == "pips" else set()),
)


def _also(do: str, *phases: str) -> Any:
    return {"may": lambda self, seat: FlatTable.may(self, seat) | ({do} if self.phase in phases else set())}


wrong("resignation", "resigning twice", **_also("resign", "resigned"))
wrong("resignation", "resigning before the opening roll", **_also("resign", "opening"))
wrong("resignation", "resigning a game that is over", **_also("resign", "over"))


def _award_one(self: Any, seat: int, points: int | None) -> None:
    FlatTable.award(self, seat, 1 if points is None else points)


def _award_in_turn(self: Any, seat: int, points: int | None) -> None:
    if self.phase == "opening":
        raise Refused
    FlatTable.award(self, seat, points)


def _award_the_match(self: Any, seat: int, points: int | None) -> None:
    FlatTable.award(self, seat, None if self.length else points)


def _award_less(self: Any, seat: int, points: int | None) -> None:
    if points is not None and points == self.length:
        raise Refused
    FlatTable.award(self, seat, points)


def _award_at_any_time(self: Any, seat: int, points: int | None) -> None:
    if self.phase == "over" and self.result:
        self.phase = "to_roll"
    FlatTable.award(self, seat, points)


def _opening_after_a_forfeit(self: Any, seat: int) -> set[str]:
    return FlatTable.may(self, seat) | ({"opening_roll"} if self.phase == "over" and self.turn is None else set())


wrong("forfeit", "an opening roll after a forfeit", may=_opening_after_a_forfeit)
wrong("forfeit", "as many points as the length are refused", award=_award_less)
wrong("forfeit", "a game that is over is forfeited", award=_award_at_any_time)
wrong("forfeit", "a forfeit is one point", award=_award_one)
wrong("forfeit", "no forfeit before the opening roll", award=_award_in_turn)
wrong("forfeit", "a forfeit is the match", award=_award_the_match)
wrong("forfeit", "the loser wins", award=lambda self, seat, points: FlatTable.award(self, 1 - seat, points))


def _tie_starts(self: Any, white: int, black: int) -> None:
    if white != black:
        FlatTable.opening_roll(self, white, black)
        return
    self.turn, self.dice, self.phase = 0, {white}, "to_play"


wrong("opening", "a tie is played", opening_roll=_tie_starts)
wrong("opening", "the lower starts", opening_roll=lambda self, white, black: FlatTable.opening_roll(self, black, white))


def _not_turned(self: Any, white: int, black: int) -> None:
    FlatTable.opening_roll(self, white, black)
    if self.turn == 1:
        self.board.reverse()


wrong("opening", "the board is never turned", opening_roll=_not_turned)
wrong("opening", "nobody rolls again", **_with("opening", value="shared"))
wrong("opening", "the starter always rolls again", **_with("opening", value="reroll"))


def _by_anybody(*actions: str) -> Any:
    return {"may": lambda self, seat: FlatTable.may(self, seat) | (FlatTable.may(self, 1 - seat) & {*actions})}


def _double_out_of_turn(self: Any, seat: int) -> set[str]:
    doubles = self.phase == "to_roll" and seat != self.turn and self.may_double(seat)
    return FlatTable.may(self, seat) | ({"double"} if doubles else set())


def _double_after_the_roll(self: Any, seat: int) -> set[str]:
    doubles = self.phase == "to_play" and seat == self.turn and self.may_double(seat)
    return FlatTable.may(self, seat) | ({"double"} if doubles else set())


def _double_if_not_shut_out(self: Any, seat: int) -> set[str]:
    is_shut_out = self.turn is not None and reference.is_shut_out((self._side(self.turn), self._side(1 - self.turn)))
    return FlatTable.may(self, seat) - ({"double"} if is_shut_out else set())


def _answer_while_a_resignation_waits(self: Any, seat: int) -> set[str]:
    answers = self.phase == "resigned" and self.doubled and seat == (self.turn + self.doubled) % 2
    return FlatTable.may(self, seat) | ({"take", "drop"} if answers else set())


def _roll_again(self: Any, seat: int) -> set[str]:
    again = self.phase in {"to_play", "doubled"} and seat == self.turn
    return FlatTable.may(self, seat) | ({"roll"} if again else set())


def _next_after_the_match(self: Any, seat: int) -> set[str]:
    return FlatTable.may(self, seat) | ({"next_game"} if self.phase == "over" else set())


wrong("action", "anybody rolls", **_by_anybody("roll"))
wrong("action", "anybody plays", **_by_anybody("play"))
wrong("action", "anybody answers a double", **_by_anybody("take", "drop", "beaver"))
wrong("action", "anybody answers a resignation", **_by_anybody("accept", "decline"))
wrong("action", "doubling after the roll", may=_double_after_the_roll)
wrong("action", "doubling out of turn", may=_double_out_of_turn)
wrong("action", "who is shut out does not double", may=_double_if_not_shut_out)
wrong("action", "a double is answered while a resignation waits", may=_answer_while_a_resignation_waits)
wrong("action", "another opening roll", **_also("opening_roll", "to_roll", "to_play"))
wrong("action", "taking what was not offered", **_also("take", "to_roll", "to_play"))
wrong("action", "a next game before the end of this one", **_also("next_game", "to_roll", "to_play", "doubled"))
wrong("action", "rolling again", may=_roll_again)
wrong("action", "a next game after the match", may=_next_after_the_match)
wrong("action", "doubling twice", **_also("double", "doubled"))
wrong("action", "rolling in a game that is over", **_also("roll", "over"))
wrong("action", "doubling in a game that is over", **_also("double", "over"))
wrong("action", "rolling before the opening roll", **_also("roll", "opening"))
wrong("action", "doubling before the opening roll", **_also("double", "opening"))
for do in ("roll", "play", "double"):
    wrong("action", f"{do} while a resignation waits", **_also(do, "resigned"))


def _answers(phase: str, **meant: str) -> Any:
    """In this phase an answer to something else is taken for one to this."""

    def act(self: Any, action: State) -> None:
        do = action["do"]
        FlatTable.act(self, action | {"do": meant.get(do, do) if self.phase == phase else do})

    return {"act": act}


wrong("action", "a double is accepted or declined", **_answers("doubled", accept="take", decline="drop"))
wrong("action", "a resignation is taken or dropped", **_answers("resigned", take="accept", drop="decline"))
wrong(
    "action",
    "no next game after a forfeit",
    may=lambda self, seat: set() if self.result and self.result[3] == "forfeited" else FlatTable.may(self, seat),
)


def _standard_start(self: Any, starter: int | None, points: list[int], checkers: int) -> None:
    start = START_OF["standard"]
    FlatTable.next_game(self, starter, list(reference.signed((start, start))), 15)


wrong("action", "every game has the standard start", next_game=_standard_start)


def _no_score(self: Any, starter: int | None, points: list[int], checkers: int) -> None:
    FlatTable.next_game(self, starter, points, checkers)
    self.score = [0, 0]


def _winner_starts(self: Any, starter: int | None, points: list[int], checkers: int) -> None:
    FlatTable.next_game(self, self.result[0] if starter is None else starter, points, checkers)


def _nobody_starts(self: Any, starter: int | None, points: list[int], checkers: int) -> None:
    FlatTable.next_game(self, None, points, checkers)


wrong("action", "the next game keeps the cube", **_while("next_game", "cube", "owner"))
wrong("action", "the next game has no score", next_game=_no_score)
wrong("action", "the winner starts the next game", next_game=_winner_starts)
wrong("action", "a starter is not heeded", next_game=_nobody_starts)
