"""Boards as text, in the shape that GNU Backgammon's console has made familiar.

The player at the bottom plays towards the lower right corner, the other towards the upper right. The numbers along the
edges are those of the player on roll, so that a play can be read off the board as it is written. In the left margin "v"
says that they run downwards (the player on roll sits at the bottom), "^" that they run upwards.

A stack shows at most five checkers; from six on, the fifth place shows their number. Checkers on the bar stand on their
owner's half of it, checkers borne off beside the board, five to a column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import attrs

from gammonrules._setup import STANDARD_CHECKERS
from gammonrules._table import counted, level_name, player_of
from gammonrules.match import Double, End, Player, Resignation

if TYPE_CHECKING:
    from gammonrules.match import MatchState, Result
    from gammonrules.position import Position

_ROWS = 5
_LETTERS = {Player.WHITE: "X", Player.BLACK: "O"}
_ENDS = {End.PLAYED: "", End.DROPPED: " (double dropped)", End.RESIGNED: " (resigned)"}
_BEAVERS = ("", " (beaver)", " (raccoon)")


def board(position: Position, *, flipped: bool = False) -> str:
    """Draw a position; `X` is the player on roll.

    Args:
        position: the position to draw. A position has no colours: `X` is always the side whose turn it is.
        flipped: True puts the opponent at the bottom. The letters and the numbers stay those of the player on roll.

    Returns:
        Fourteen lines without trailing blanks, joined by newlines.

    Examples:
        >>> from gammonrules import Position
        >>> print(board(Position.start()))
         Position ID: 4HPwATDgc/ABMA
         +13-14-15-16-17-18------19-20-21-22-23-24-+     O: opponent
         | X           O    |   | O              X |     167 pips
         | X           O    |   | O              X |
         | X           O    |   | O                |
         | X                |   | O                |
         | X                |   | O                |
        v|                  |BAR|                  |
         | O                |   | X                |
         | O                |   | X                |
         | O           X    |   | X                |
         | O           X    |   | X              O |
         | O           X    |   | X              O |     167 pips
         +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: on roll
    """
    return _picture(
        position,
        on_roll=_Side("X", position.off, ("X: on roll", counted(position.pip_count, "pip"))),
        opponent=_Side("O", position.opponent_off, ("O: opponent", counted(position.opponent_pip_count, "pip"))),
        on_roll_at_bottom=not flipped,
    )


def table(state: MatchState, *, bottom: Player = Player.WHITE) -> str:
    """Draw the whole table: the board, the score, the cube, the dice and whose turn it is.

    White is always `X` and Black `O`, wherever they sit. The cube stands beside its owner's name, or in the middle; a
    pending double leaves it there and shows the offer beside the player who must answer.

    Args:
        state: the table to draw. Before the opening roll the numbers are White's.
        bottom: the player whose side is drawn at the bottom.

    Returns:
        Fourteen lines without trailing blanks, joined by newlines.

    Raises:
        IllegalActionError: `bottom` is no `Player`.

    Examples:
        >>> from gammonrules import MatchState
        >>> print(table(MatchState.new(length=7).opening_roll(white=3, black=1)))
         Position ID: 4HPwATDgc/ABMA
         +13-14-15-16-17-18------19-20-21-22-23-24-+     O: Black
         | X           O    |   | O              X |     0 points
         | X           O    |   | O              X |     167 pips
         | X           O    |   | O                |
         | X                |   | O                |
         | X                |   | O                |
        v|                  |BAR|                  |     7 point match (Cube: 1)
         | O                |   | X                |
         | O                |   | X                |
         | O           X    |   | X                |     Rolled 31
         | O           X    |   | X              O |     167 pips
         | O           X    |   | X              O |     0 points
         +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: White
    """
    on_roll = Player.WHITE if state.on_roll is None else state.on_roll
    return _picture(
        state.position,
        on_roll=_side(state, on_roll, state.position.off, state.position.pip_count),
        opponent=_side(state, on_roll.opponent, state.position.opponent_off, state.position.opponent_pip_count),
        on_roll_at_bottom=on_roll is player_of(bottom),
        notes=(_kind_of_game(state), *_standing(state)),
    )


@attrs.frozen
class _Side:
    """What is drawn of one side besides its checkers on the board."""

    letter: str
    off: int
    caption: tuple[str, ...]
    """The line beside the edge of the board, then what follows towards the middle."""


def _picture(
    position: Position, *, on_roll: _Side, opponent: _Side, on_roll_at_bottom: bool, notes: Sequence[str] = ()
) -> str:
    bottom, top = (on_roll, opponent) if on_roll_at_bottom else (opponent, on_roll)
    points = position.points if on_roll_at_bottom else tuple(-count for count in reversed(position.points))
    pictured = [
        _edge(range(13, 25), from_bottom=on_roll_at_bottom),
        *_half(points, range(13, 25), (bottom, top), owner=top),
        f"|{'':18}|BAR|{'':18}|",
        *reversed(_half(points, range(12, 0, -1), (bottom, top), owner=bottom)),
        _edge(range(12, 0, -1), from_bottom=on_roll_at_bottom),
    ]
    above = [*top.caption, *[""] * (6 - len(top.caption))]
    below = [*notes, *[""] * (7 - len(notes) - len(bottom.caption)), *reversed(bottom.caption)]
    margins = [*" " * 6, "v" if on_roll_at_bottom else "^", *" " * 6]
    lines = [_identity(position)]
    lines += [f"{m}{p:48}{t}" for m, p, t in zip(margins, pictured, above + below, strict=True)]
    return "\n".join(line.rstrip() for line in lines)


def _identity(position: Position) -> str:
    unusual = "" if position.checkers == STANDARD_CHECKERS else f" ({counted(position.checkers, 'checker')} a side)"
    return f" Position ID: {position.id}{unusual}"


def _half(points: Sequence[int], numbers: Iterable[int], sides: tuple[_Side, _Side], *, owner: _Side) -> list[str]:
    """The five rows of one half of the board, from its edge to the middle, with the owner's checkers off beside it.

    `points` and `numbers` are those of the player at the bottom.
    """
    bottom, top = (side.letter for side in sides)
    on_bar = points[25] if owner is sides[0] else points[0]
    stacks = [_stack(count, bottom, top) for count in (*(points[number] for number in numbers), on_bar)]
    rows: list[str] = []
    for row, (*cells, bar) in enumerate(zip(*stacks, strict=True)):
        borne_off = owner.letter * ((owner.off - row + _ROWS - 1) // _ROWS)
        rows.append(f"|{''.join(cells[:6])}|{bar}|{''.join(cells[6:])}| {borne_off}")
    return rows


def _stack(count: int, bottom: str, top: str) -> list[str]:
    """The cells of one stack, from the edge of the board to the middle."""
    letter, height = (bottom, count) if count > 0 else (top, -count)
    cells = [f" {letter} " if row < height else "   " for row in range(_ROWS)]
    if height > _ROWS:
        cells[-1] = f"{height:>2} "
    return cells


def _edge(numbers: Iterable[int], *, from_bottom: bool) -> str:
    labels = [f"{number if from_bottom else 25 - number:->2}-" for number in numbers]
    return f"+{''.join(labels[:6])}-----{''.join(labels[6:])}+"


def _side(state: MatchState, player: Player, off: int, pips: int) -> _Side:
    cube = f" (Cube: {state.cube.value})" if state.cube.owner == player else ""
    caption = (
        f"{_LETTERS[player]}: {player}{cube}",
        counted(state.score[player], "point"),
        counted(pips, "pip"),
        _doing(state, player),
    )
    return _Side(_LETTERS[player], off, caption)


def _doing(state: MatchState, player: Player) -> str:
    """What this player has before them: their turn, their roll, a cube to answer, their own resignation."""
    if state.result is not None:
        return ""
    doing: list[str] = []
    if (double := state.pending_double) is not None:
        doing += [_offered(double)] if double.answerer == player else []
    elif state.on_roll == player:
        doing += [f"Rolled {state.dice}" if state.dice else "On roll"]
    if isinstance(state.offer, Resignation) and state.offer.by == player:
        doing += [f"resigns a {level_name(state.offer.win)}"]
    text = ", ".join(doing)
    return text[:1].upper() + text[1:]


def _offered(double: Double) -> str:
    turned = _BEAVERS[double.beavers] if double.beavers < len(_BEAVERS) else f" (beaver {double.beavers})"
    return f"Cube offered at {double.value}{turned}"


def _kind_of_game(state: MatchState) -> str:
    kind = "Money play" if state.length is None else f"{state.length} point match"
    if state.crawford:
        return f"{kind} (Crawford game)"
    if not state.rules.cube:
        return f"{kind} (no cube)"
    post = ", post-Crawford" if state.post_crawford else ""
    cube = f" (Cube: {state.cube.value})" if state.cube.owner is None else ""
    return f"{kind}{post}{cube}"


def _standing(state: MatchState) -> list[str]:
    if state.result is not None:
        won = [f"{state.winner} wins the match"] if state.winner is not None else []
        return [_won(state.result), *won]
    return ["Opening roll"] if state.on_roll is None else []


def _won(result: Result) -> str:
    how = f"a {level_name(result.win)}{_ENDS[result.by]}"
    return f"{result.winner} wins {how}: {counted(result.points, 'point')}"
