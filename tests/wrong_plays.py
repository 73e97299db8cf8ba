"""Checker play with one rule wrong, in the ways in which programs have it wrong; by the brute force alone.

Each way has the key of its rule (`conformance/rules.json`). Where a way changes the plays of a roll, the case proves
that rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import reference
from reference import BAR, OFF, Board, Side

Dice = tuple[int, int]
Plays = set[Board]
Steps = Callable[[Board, int, Board], Iterator[Board]]
"""The boards after one checker was moved by this die; the last board is that before the turn."""


def without(rule: str) -> Callable[[Board, Dice], Plays]:
    return lambda board, dice: reference.results(board, dice, rule)


def by(steps: Steps) -> Callable[[Board, Dice], Plays]:
    """As many dice as possible, of the two the higher, by these steps."""

    def plays(board: Board, dice: Dice) -> Plays:
        reached = {order: _levels(board, order, steps) for order in reference.orders(dice)}
        longest = max(map(len, reached.values()))
        best = [order for order, levels in reached.items() if len(levels) == longest]
        if longest == 1:
            best = [max(best)]
        return set().union(*(reached[order][-1] for order in best)) if longest else {board}

    return plays


def _levels(board: Board, order: tuple[int, ...], steps: Steps) -> list[Plays]:
    reached, levels = {board}, []
    for die in order:
        reached = {after for before in reached for after in steps(before, die, board)}
        if not reached:
            break
        levels.append(reached)
    return levels


def _one_enters(board: Board, die: int, before: Board) -> Iterator[Board]:
    """Of several checkers on the bar only the first must enter."""
    entered = board[0][BAR] < before[0][BAR]
    return (after for _, after in reference.steps(board, die, "bar first" if entered else ""))


def _void_after_entering(board: Board, die: int, before: Board) -> Iterator[Board]:
    """Who has entered all checkers plays no other die."""
    has_entered = before[0][BAR] and not board[0][BAR]
    return (after for _, after in reference.steps(board, die) if not has_entered)


def _any_entry(board: Board, dice: Dice) -> Plays:
    """Either die enters, also where it leaves nothing for the other one."""
    right, (high, low) = reference.results(board, dice), dice
    if not board[0][BAR] or high == low or reference.numbers_played(board, dice) < 2:
        return right
    entries = ((after, other) for die, other in ((high, low), (low, high)) for _, after in reference.steps(board, die))
    return right | {after for after, other in entries if not any(reference.steps(after, other))}


def _blocked_by(number: int) -> Steps:
    """A point is blocked by this many checkers."""

    def steps(board: Board, die: int, _: Board) -> Iterator[Board]:
        for step, after in reference.steps(board, die, "blocked points"):
            if step.end == OFF or board[1][25 - step.end] < number:
                yield after

    return steps


def _hit_as(change: Callable[[Side], Side]) -> Steps:
    """What becomes of the opponent's side after a hit."""

    def steps(board: Board, die: int, _: Board) -> Iterator[Board]:
        for step, (mine, theirs) in reference.steps(board, die):
            yield mine, change(theirs) if step.hits else theirs

    return steps


def _off(theirs: Side) -> Side:
    return (theirs[OFF] + 1, *theirs[1:BAR], theirs[BAR] - 1)


def _home_before(board: Board, die: int, before: Board) -> Iterator[Board]:
    """All checkers must be home before the turn."""
    all_home = not any(before[0][7:])
    return (after for step, after in reference.steps(board, die) if all_home or step.end != OFF)


def _no_bear_off(board: Board, die: int, _: Board) -> Iterator[Board]:
    return (after for step, after in reference.steps(board, die) if step.end != OFF)


def _one_off(board: Board, die: int, before: Board) -> Iterator[Board]:
    """A turn bears off one checker."""
    return (after for step, after in reference.steps(board, die) if step.end != OFF or board[0][OFF] == before[0][OFF])


def _exact_before(board: Board, die: int, before: Board) -> Iterator[Board]:
    """A die overshoots only from the highest point of the board before the turn."""
    highest = max(point for point in range(1, BAR + 1) if before[0][point])
    steps = reference.steps(board, die)
    return (after for step, after in steps if step.end != OFF or step.start in {die, highest})


def _must_bear_off(board: Board, die: int, _: Board) -> Iterator[Board]:
    """A die that can bear off does nothing else."""
    moves = [*reference.steps(board, die)]
    bears_off = any(step.end == OFF for step, _ in moves)
    return (after for step, after in moves if step.end == OFF or not bears_off)


def _sums(board: Board, dice: Dice) -> Plays:
    """A checker may move by the sum of the dice, whatever stands where it would touch down."""
    right, (high, low) = reference.results(board, dice), dice
    if high == low or board[0][BAR]:
        return right
    legal = {after for step, after in reference.steps(board, high + low) if step.end != OFF}
    return legal if right == {board} and legal else right | legal


def _first(largest: bool) -> Callable[[Board, Dice], Plays]:
    """One order of the dice only."""

    def plays(board: Board, dice: Dice) -> Plays:
        levels = reference._levels(board, tuple(sorted(reference.orders(dice)[0], reverse=largest)))
        return levels[-1] if levels else {board}

    return plays


def _only_one(*indices: int) -> Callable[[Board, Dice], Plays]:
    """Where only one of two dice can be played, the first of these (0: the lower) that can be, or none."""

    def plays(board: Board, dice: Dice) -> Plays:
        if dice[0] == dice[1] or reference.numbers_played(board, dice) != 1:
            return reference.results(board, dice)
        levels = [reference._levels(board, (die,)) for die in sorted(dice)]
        return next((levels[index][0] for index in indices if levels[index]), {board})

    return plays


def _all_or_none(board: Board, dice: Dice) -> Plays:
    """A doublet that cannot be played four times is not played."""
    partly = dice[0] == dice[1] and reference.numbers_played(board, dice) < 4
    return {board} if partly else reference.results(board, dice)


def _three(board: Board, dice: Dice) -> Plays:
    levels = reference._levels(board, (dice[0],) * 3) if dice[0] == dice[1] else None
    return reference.results(board, dice) if levels is None else levels[-1] if levels else {board}


def _none_runs_off(board: Board, dice: Dice) -> Plays:
    """No checker is borne off by all four moves of a doublet."""
    mine, right = board[0], reference.results(board, dice)
    for point in range(3 * dice[0] + 1, min(4 * dice[0], 24) + 1):
        if dice[0] == dice[1] and mine[point] and len(right) > 1:
            without_one = (mine[OFF] + 1, *mine[1:point], mine[point] - 1, *mine[point + 1 :])
            right = right - {(without_one, board[1])}
    return right


def _hits_merged(board: Board, dice: Dice) -> Plays:
    """Plays that differ only in what they hit are one play."""
    return {max(same) for same in _by_own_side(reference.results(board, dice)).values()}


def _by_own_side(plays: Plays) -> dict[Side, list[Board]]:
    sides: dict[Side, list[Board]] = {}
    for mine, theirs in plays:
        sides.setdefault(mine, []).append((mine, theirs))
    return sides


WAYS: dict[str, tuple[str, Callable[[Board, Dice], Plays]]] = {
    "others move while a checker is on the bar": ("bar", without("bar first")),
    "one of several enters": ("bar", by(_one_enters)),
    "no point is blocked": ("blocked", without("blocked points")),
    "three checkers block": ("blocked", by(_blocked_by(3))),
    "a blot blocks": ("hit", by(_blocked_by(1))),
    "the sum is played at once": ("blocked", _sums),
    "nothing is hit": ("hit", without("hits")),
    "who is hit is off": ("hit", by(_hit_as(_off))),
    "bearing off at any time": ("home", without("all home")),
    "home before the turn": ("home", by(_home_before)),
    "nothing is borne off": ("home", by(_no_bear_off)),
    "bearing off is compulsory": ("home", by(_must_bear_off)),
    "one is borne off in a turn": ("overshoot", by(_one_off)),
    "no die overshoots": ("overshoot", without("larger numbers")),
    "a die overshoots from what was the highest point": ("overshoot", by(_exact_before)),
    "a die overshoots from any point": ("overshoot", without("highest point")),
    "the higher die first": ("both-dice", without("either order")),
    "the lower die first": ("both-dice", _first(largest=False)),
    "the other die is void after entering": ("both-dice", by(_void_after_entering)),
    "either die enters, whatever is left": ("both-dice", _any_entry),
    "two dice as far as they go": ("both-dice", without("as many as possible")),
    "either of two dice": ("higher-die", without("higher die")),
    "the lower of two dice": ("higher-die", _only_one(0, 1)),
    "the higher of two dice or none": ("higher-die", _only_one(1)),
    "both dice or none": ("higher-die", _only_one()),
    "a doublet twice": ("doublet", without("doublets")),
    "a doublet three times": ("doublet", _three),
    "a doublet four times or not at all": ("doublet", _all_or_none),
    "no checker is borne off by all of a doublet": ("doublet", _none_runs_off),
    "hits on the way do not count": ("same-position", _hits_merged),
    "no play is no answer": ("dance", lambda board, dice: reference.results(board, dice) - {board}),
}
"""Each wrong way, with the key of its rule and the plays that it finds."""


ORDER = ("bar", "blocked", "hit", "home", "overshoot", "both-dice", "higher-die", "doublet", "same-position", "dance")
"""The rules in the order of `conformance/rules.json`."""


def ways_that_differ(board: Board, dice: Dice) -> list[str]:
    """The wrong ways that find other plays of this roll."""
    dice = max(dice), min(dice)
    right = reference.results(board, dice)
    return [way for way, (_, plays) in WAYS.items() if plays(board, dice) != right]
