"""Identifiers of the field read and written: a whole table in a line of text, and what such a line cannot carry.

The codecs know texts and plain values, `codecs.table.Table` is their common ground. Here that becomes a `MatchState`,
and a `MatchState` becomes that.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from operator import index
from typing import Any, Literal, TypeAlias, cast, get_args

import attrs

from gammonrules.board import Position, Win, position_id
from gammonrules.board.id_text import bounded, label
from gammonrules.board.setup import checkers_of_start
from gammonrules.dice import Dice
from gammonrules.errors import (
    GammonError,
    IdentifierError,
    IdentifierWarning,
    MatchStateError,
    MatchStateProblem,
    RulesError,
)
from gammonrules.identifiers import fibs, match_id, ogid, xgid
from gammonrules.identifiers.plain_table import WHITE, Seat, Side, Table, other
from gammonrules.match import Cube, Double, End, MatchState, Player, Resignation
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.values import one_of, shown

__all__ = ["lost_in_gnubg_id", "lost_in_xgid", "read"]

_GNUBG_ID = re.compile(
    rf"(?:GNU\s+Backgammon\s+)?+(?:GNUbg\s*ID\s*[:=]?\s*)?+(?:{label('Position ID')})?+([^\s:=,;-]+)(?:==)?"
    rf"(?:\s*:\s*(?:{label('Match ID')})?+|[\s,;]+{label('Match ID')}|\s+(?=[A-Za-z0-9+/]{{12}}(?:\s|$)))"
    r"([^\s:=,;)\]]+)(?:==)?(?:[\s,;)\]].*)?",
    re.IGNORECASE | re.ASCII | re.DOTALL,
)
"""Position ID and Match ID, with a colon or a blank between them or each behind its label, as people paste them."""
_PLAYERS = tuple(Player)
_BRACKETS = "()[]{}<>\"'`"
_FIELDS_OF_AN_OGID = 4
"""Those behind the first one, at least."""
_LONGEST_SIDE_OF_AN_OGID = 15
_NO_LIMIT = 10

# Reading --------------------------------------------------------------------------------------------------------------


def read(
    text: str,
    rules: Rules | None = None,
    *,
    checkers: int | None = None,
    doubled_turn: Literal["doubler", "responder"] = "doubler",
) -> Position | MatchState:
    """What an identifier describes: a board, or a whole table.

    Understood are GNU Backgammon's Position ID (a `Position`), its Position ID with a Match ID, XGID, OGID and the
    board line of FIBS (a `MatchState`), with or without their labels.

    Args:
        text: the identifier, with no more than 10,000 characters; blanks around it do not matter.
        rules: what the text does not say; None: `TOURNAMENT` for a match, `MONEY` for money play.
        checkers: of each side; None: those of the start of the rules, 15 as a rule.
        doubled_turn: for an XGID, as in `MatchState.from_xgid`.

    Raises:
        IdentifierError: the text is none of these, or too long; the message names the field.
        PositionError: it describes an impossible board, or `checkers` is not a number from 1 to 15.
        MatchStateError: it describes an impossible table, or `rules` is not `Rules`.
        RulesError: the rules do not go together with what the text says.
        GammonError: `doubled_turn` is something else.

    Examples:
        >>> read("Position ID: 4HPwATDgc/ABMA") == Position.start()
        True
        >>> read("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10").dice
        Dice(high=3, low=1)
    """
    _refuse_unknown(doubled_turn)
    text = bounded(text, "identifier").strip().strip(_BRACKETS) if isinstance(text, str) else text
    reader = _reader_of(text) if isinstance(text, str) else None
    if reader is from_xgid:
        return from_xgid(text, rules, checkers, doubled_turn)
    if reader is not None:
        return reader(text, rules, checkers)
    return Position.from_id(text, checkers=_checkers(checkers, _checked_rules(TOURNAMENT if rules is None else rules)))


_Reader: TypeAlias = Callable[[str, Rules | None, int | None], MatchState]


def _reader_of(text: str) -> _Reader | None:
    """The reader of the kind of table that this text is meant as; None if it is none."""
    stripped = text.strip()
    if xgid.is_meant(stripped):
        return from_xgid
    if ogid.is_meant(stripped):
        return from_ogid
    if stripped.startswith(fibs.PREFIX):
        return from_fibs_board
    if _GNUBG_ID.fullmatch(stripped):
        return from_gnubg_id
    if match_id.PATTERN.fullmatch(stripped):
        raise IdentifierError("a Match ID alone has no board: put the Position ID and a colon before it")
    board, *fields = stripped.split(maxsplit=1)[0].split(":") if stripped else [""]
    if fields and len(board) > _LONGEST_SIDE_OF_AN_OGID:
        return from_xgid
    return from_ogid if len(fields) >= _FIELDS_OF_AN_OGID else None


def from_xgid(
    text: str, rules: Rules | None, checkers: int | None, doubled_turn: xgid.DoubledTurn = "doubler"
) -> MatchState:
    """See `MatchState.from_xgid`."""
    _refuse_unknown(doubled_turn)
    return _state(xgid.decode(text, doubled_turn), "XGID", rules, checkers)


def _refuse_unknown(doubled_turn: object) -> None:
    choices = get_args(xgid.DoubledTurn)
    if not isinstance(doubled_turn, str) or doubled_turn not in choices:
        raise GammonError(f"doubled_turn is {one_of(choices)}, not {shown(doubled_turn)}")


def from_gnubg_id(text: str, rules: Rules | None, checkers: int | None) -> MatchState:
    """See `MatchState.from_gnubg_id`."""
    found = _GNUBG_ID.fullmatch(bounded(text, "gnubg ID").strip()) if isinstance(text, str) else None
    if found is None:
        raise IdentifierError(f"gnubg ID: a Position ID, a colon and a Match ID are needed, not {shown(text, 60)}")
    table = match_id.decode(found[2])
    theirs, mine = (tuple(half.to_bytes(position_id.FIELDS, "big")) for half in position_id.decode(found[1]))
    sides = (mine, theirs) if table.on_roll == WHITE else (theirs, mine)
    return _state(attrs.evolve(table, sides=sides), "Match ID", rules, checkers)


def from_ogid(text: str, rules: Rules | None, checkers: int | None) -> MatchState:
    """See `MatchState.from_ogid`."""
    return _state(ogid.decode(text), "OGID", rules, checkers)


def from_fibs_board(text: str, rules: Rules | None, checkers: int | None) -> MatchState:
    """See `MatchState.from_fibs_board`."""
    return _state(fibs.decode(text), "FIBS board", rules, checkers)


def _state(table: Table, name: str, given: Rules | None, checkers: int | None) -> MatchState:
    """The state of a table that has been read, and a warning for each doubt."""
    state, doubts = _possible(table, given, checkers)
    for doubt in (*doubts, *_unusual(state)):
        # The reader's caller is here, above it the method or `read`, and above that who called the library.
        warnings.warn(f"{name}: {doubt}", IdentifierWarning, stacklevel=4)
    return state


def _possible(table: Table, given: Rules | None, checkers: int | None) -> tuple[MatchState, tuple[str, ...]]:
    """The state of a table and the doubts about it; of the other reading of the text, if only that one is possible.

    If neither is, the error is that of the first.
    """
    try:
        rules = _rules(table, given)
        return MatchState(_position(table, _checkers(checkers, rules)), rules=rules, **_fields(table)), table.doubts
    except MatchStateError:
        if table.instead is not None:
            with suppress(MatchStateError):
                return _possible(table.instead, given, checkers)
        raise


def _unusual(state: MatchState) -> Iterator[str]:
    """What a state that can be read hardly means."""
    turned = state.cube.value.bit_length() - 1
    if state.cube.owner is None and turned > state.rules.auto_doubles:
        yield f"a centred cube of {state.cube.value}, though only automatic doubles turn a centred cube"


def _fields(table: Table) -> dict[str, Any]:
    """The arguments of the MatchState that a table describes, all but position and rules."""
    by = _PLAYERS[table.on_roll]
    double = None if table.double is None else _double(table, *table.double)
    resignation = table.resignation
    return {
        "on_roll": by,
        "dice": table.dice,
        "cube": Cube(table.cube, None if table.owner is None else _PLAYERS[table.owner]),
        "offer": double if resignation is None else Resignation(_PLAYERS[resignation[0]], Win(resignation[1]), double),
        "score": table.score,
        "length": table.length,
        "crawford": table.crawford,
    }


def _checkers(given: int | None, rules: Rules) -> int:
    """The checkers of a side where the text does not tell: as the caller says, or as in the start of the rules."""
    return checkers_of_start(rules.start) if given is None else given


def _position(table: Table, checkers: int) -> Position:
    mine, theirs = (_counts(table, seat) for seat in (table.on_roll, other(table.on_roll)))
    return Position.of(mine, theirs, checkers=table.checkers or checkers)


def _counts(table: Table, seat: Seat) -> dict[int | str, int]:
    sides = cast("tuple[Side, Side]", table.sides)  # a table without a board is not read
    counts: dict[int | str, int] = dict(enumerate(sides[seat], 1))
    off = table.off[seat]
    return counts if off is None else {**counts, "off": off}


def _double(table: Table, by: Seat, beavers: int) -> Double:
    return Double(_PLAYERS[by], table.cube << (beavers + 1), beavers)


def _rules(table: Table, given: object) -> Rules:
    """The rules that a reader starts from, with what the text says."""
    in_match = table.length is not None
    rules = _checked_rules(given if given is not None else TOURNAMENT if in_match else MONEY)
    said: dict[str, Any] = {}
    if table.crawford:
        said["crawford"] = True
    if table.jacoby is not None:
        said["jacoby"] = table.jacoby
    if table.beavers is not None:
        said["beavers"] = max(1, rules.beavers) if table.beavers else 0
    if table.double is not None and not in_match:
        said["beavers"] = max(said.get("beavers", rules.beavers), table.double[1])
    if table.max_cube is not None:
        said["cube"] = table.max_cube > 0
    if table.max_cube:
        said["max_cube"] = None if table.max_cube == _NO_LIMIT else 1 << table.max_cube
    return attrs.evolve(rules, **said)


def _checked_rules(rules: object) -> Rules:
    if not isinstance(rules, Rules):
        raise MatchStateError(f"rules is Rules or None, not {shown(rules)}", MatchStateProblem.WRONG_TYPE)
    return rules


# Writing --------------------------------------------------------------------------------------------------------------


def to_xgid(state: MatchState, *, strict: bool, rules: Rules | None) -> str:
    """See `MatchState.to_xgid`."""
    if strict:
        _refuse_loss("an XGID", lost_in_xgid(state, rules=rules))
    return xgid.encode(_table(state))


def to_match_id(state: MatchState) -> str:
    """See `MatchState.match_id`."""
    return match_id.encode(_with_game(_table(state), state))


def to_gnubg_id(state: MatchState, *, strict: bool, rules: Rules | None) -> str:
    """See `MatchState.to_gnubg_id`."""
    if strict:
        _refuse_loss("a gnubg ID", lost_in_gnubg_id(state, rules=rules))
    return f"{state.position.id}:{to_match_id(state)}"


def lost_in_xgid(state: MatchState, *, rules: Rules | None = None) -> tuple[str, ...]:
    """The parts of a state that its XGID does not carry.

    It is empty exactly if `MatchState.from_xgid` reads the same state back.

    Args:
        state: what is to be written.
        rules: those from which the reader will start; None: `TOURNAMENT` for a match, `MONEY` for money play.

    Returns:
        Names of fields, those of the rules as `rules.crawford`.

    Raises:
        MatchStateError: no `MatchState`, or rules that are none.

    Examples:
        >>> from gammonrules import MatchState, Rules
        >>> m = MatchState.new(5, rules=Rules(crawford=False)).opening_roll(3, 1)
        >>> lost_in_xgid(m), lost_in_xgid(m.resign()), lost_in_xgid(m, rules=Rules(crawford=False))
        (('rules.crawford',), ('offer', 'rules.crawford'), ())
    """
    table = xgid.cut(_table(_checked(state)))
    return _lost(state, xgid.decode(xgid.encode(table)), rules)


def lost_in_gnubg_id(state: MatchState, *, rules: Rules | None = None) -> tuple[str, ...]:
    """The parts of a state that its Position ID and Match ID do not carry.

    It is empty exactly if `MatchState.from_gnubg_id` reads the same state back.

    Args:
        state: what is to be written.
        rules: those from which the reader will start; None: `TOURNAMENT` for a match, `MONEY` for money play.

    Returns:
        Names of fields, those of the rules as `rules.crawford`.

    Raises:
        MatchStateError: no `MatchState`, or rules that are none.

    Examples:
        >>> from gammonrules import MatchState, Rules
        >>> m = MatchState.new(None, rules=Rules(jacoby=True)).opening_roll(3, 1)
        >>> lost_in_gnubg_id(m), lost_in_gnubg_id(m.resign().accept())
        (('rules.beavers',), ('result', 'rules.beavers'))
    """
    table = _table(_checked(state))
    said = attrs.evolve(match_id.decode(match_id.encode(match_id.cut(table))), sides=table.sides)
    return _lost(state, said, rules)


def _checked(state: MatchState) -> MatchState:
    if not isinstance(state, MatchState):
        raise MatchStateError(f"a MatchState is needed, not {shown(state)}", MatchStateProblem.WRONG_TYPE)
    return state


def _refuse_loss(what: str, lost: tuple[str, ...]) -> None:
    if lost:
        raise IdentifierError(f"{what} cannot carry all of this table; lost would be: {', '.join(lost)}")


def _lost(state: MatchState, said: Table, rules: Rules | None) -> tuple[str, ...]:
    """The fields of a state that differ from what its text says."""
    try:
        base = _rules(said, rules)
    except RulesError:  # which whoever reads the text with these rules gets too
        base = cast("Rules", rules)
    fields = _fields(said)
    # Money play has no Crawford game and an XGID no word for it; a result is in no text.
    fields |= {"crawford": bool(said.crawford), "dice": said.dice and Dice(*said.dice), "result": None}
    lost = [name for name, value in fields.items() if getattr(state, name) != value]
    if state.position.checkers != _checkers(None, base):
        lost.append("position.checkers")
    options = (option.name for option in attrs.fields(Rules))
    lost += [f"rules.{name}" for name in options if getattr(state.rules, name) != getattr(base, name)]
    return tuple(lost)


def _table(state: MatchState) -> Table:
    """A state as plain values. Before the opening roll and after the end it looks like a game that goes on."""
    double, offer, rules = state.pending_double, state.offer, state.rules
    white, black = state.view(Player.WHITE), state.view(Player.BLACK)
    return Table(
        sides=(_side(white), _side(black)),
        on_roll=_seat(state.on_roll) or WHITE,
        dice=None if state.dice is None else (state.dice.high, state.dice.low),
        cube=state.cube.value,
        owner=_seat(state.cube.owner),
        double=None if double is None else (index(double.by), double.beavers),
        resignation=(index(offer.by), offer.win) if isinstance(offer, Resignation) else None,
        turn=_seat(state.to_act),
        score=state.score,
        length=state.length,
        crawford=state.crawford,
        jacoby=rules.jacoby,
        beavers=rules.beavers > 0,
        max_cube=_max_cube(rules),
    )


def _with_game(table: Table, state: MatchState) -> Table:
    """The same with what a Match ID says of a game that has not begun or is over: how it ended, who decided that."""
    result = state.result
    if result is None:
        return table if state.on_roll is not None else attrs.evolve(table, game="opening")
    winner = index(result.winner)
    if result.end is End.DROPPED:
        return attrs.evolve(table, game="dropped", turn=other(winner))
    if result.end is End.RESIGNED and result.win is not None:
        return attrs.evolve(table, game="resigned", turn=winner, resignation=(other(winner), result.win))
    return attrs.evolve(table, game="played")  # after a forfeit too: GNU Backgammon has no word for it


def _seat(player: Player | None) -> Seat | None:
    return None if player is None else index(player)


def _side(position: Position) -> Side:
    return tuple(max(0, count) for count in position.points[1:])


def _max_cube(rules: Rules) -> int:
    if not rules.cube:
        return 0
    return _NO_LIMIT if rules.max_cube is None else rules.max_cube.bit_length() - 1
