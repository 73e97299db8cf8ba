"""Boards that bite, with the plays and the orders of moves of one roll.

A case proves the last of the rules without which its answer would be another: then whoever has one rule wrong fails
first in the cases of that rule. Most cases depend on one rule only.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import reference
from boards import random_board, random_game
from reference import Board
from wrong_plays import ORDER, WAYS, Dice, ways_that_differ

Case = dict[str, Any]

ROLLS = [(high, low) for low, high in combinations_with_replacement(range(1, 7), 2)]
QUOTAS = {
    "bar": 750,
    "blocked": 900,
    "hit": 900,
    "home": 900,
    "overshoot": 900,
    "both-dice": 1100,
    "higher-die": 1800,
    "doublet": 1400,
    "same-position": 400,
    "dance": 300,
}
"""How many core cases a rule gets, at most; half as many of those that depend on other rules as well."""
CANDIDATES = 40_000


def question_of(ask: str, board: Board, dice: Dice) -> Case:
    checkers = sum(board[0])
    question = {"ask": ask, "points": list(reference.signed(board)), "dice": sorted(dice, reverse=True)}
    return question if checkers == 15 else question | {"checkers": checkers}


def board_in(question: Case) -> Board:
    """The board of the brute force."""
    mine = [max(0, count) for count in question["points"]]
    theirs = [max(0, -count) for count in reversed(question["points"])]
    mine[0], theirs[0] = 0, 0
    checkers = question.get("checkers", 15)
    return (checkers - sum(mine), *mine[1:]), (checkers - sum(theirs), *theirs[1:])


def plays_of(board: Board, dice: Dice) -> Case:
    """The answer of the brute force."""
    return {"points": sorted(list(reference.signed(after)) for after in reference.results(board, dice))}


def orders_of(board: Board, dice: Dice) -> Case:
    paths = reference.endings(board, dice)
    return {"orders": sorted([[step.start, step.end] for step in path] for path in paths)}


# --- candidates -------------------------------------------------------------------------------------------------------


def candidates(rng: random.Random, number: int) -> Iterator[tuple[Board, Dice]]:
    """Boards from anywhere, from games by chance, and those on which the dice decide."""
    for turn in random_game(rng, number // 10):
        if not reference.is_over(turn[0]):
            yield turn
    for _ in range(number // 5):
        yield random_board(rng), (rng.randint(1, 6), rng.randint(1, 6))
        for make in (tight_turn, tight_doublet, homeward_turn, entering_turn):
            board, dice = make(rng)
            if reference.is_valid(board) and not reference.is_over(board):
                yield board, dice


def tight_turn(rng: random.Random) -> tuple[Board, Dice]:
    """A few checkers, the opponent where the dice lead, and all others off or on the ace point."""
    dice = rng.choice([roll for roll in ROLLS if roll[0] != roll[1]])
    return _tight(rng, dice, [*dice, sum(dice)], rng.sample(range(2, 26), rng.randint(1, 3)))


def tight_doublet(rng: random.Random) -> tuple[Board, Dice]:
    """The same for a doublet: some of the four can be played, and not always the same number."""
    die = rng.randint(1, 6)
    return _tight(rng, (die, die), [die, 2 * die, 3 * die, 4 * die], rng.sample(range(2, 26), rng.randint(1, 3)))


def _tight(rng: random.Random, dice: Dice, distances: list[int], places: list[int]) -> tuple[Board, Dice]:
    mine, theirs = Counter(places), Counter[int]()
    if rng.random() < 0.3:
        mine[rng.choice(places)] += 1
    for place in places:
        for distance in distances:
            point = place - distance
            if 1 <= point <= 24 and point not in mine:
                theirs[25 - point] = rng.choice((0, 0, 2, 2, 1))
    rest = 15 - mine.total()
    mine[1 if not theirs[24] and rng.random() < 0.5 else 0] += rest
    theirs[0] += 15 - theirs.total()
    if theirs[0] < 0:
        return tight_turn(rng)
    if theirs[0] == 15 or rng.random() < 0.5:
        free = next((point for point in (*range(2, 25),) if not mine[25 - point] and point not in theirs), 0)
        theirs[free] += theirs[0] if free else 0
        theirs[0] = 0 if free else theirs[0]
    return (reference.side(mine), reference.side(theirs)), dice


def homeward_turn(rng: random.Random) -> tuple[Board, Dice]:
    """Checkers in the home board, perhaps a last one outside, and the opponent on some of the points between."""
    points = rng.sample(range(1, 7), rng.randint(1, 4))
    mine = Counter(rng.choices(points, k=rng.randint(1, 6)))
    if rng.random() < 0.4:
        mine[rng.choice((7, 8, 9, 10, 11, 12, 25))] += 1
    theirs = Counter({25 - point: rng.choice((0, 0, 1, 2)) for point in range(1, 12) if point not in mine})
    theirs[0] = max(0, 15 - theirs.total())
    if theirs.total() > 15 or theirs[0] == 15:
        theirs = Counter({1: 15})
    return (reference.side(mine), reference.side(theirs)), rng.choice(ROLLS)


def entering_turn(rng: random.Random) -> tuple[Board, Dice]:
    """A checker on the bar against three to five closed points, and another that is blocked here and there."""
    dice = rng.choice([roll for roll in ROLLS if roll[0] != roll[1]])
    closed = rng.sample(range(1, 7), rng.choice((3, 4, 4, 5, 5, 5)))
    theirs = Counter(dict.fromkeys(closed, 2))
    places = rng.sample([point for point in range(2, 25) if 25 - point not in theirs], rng.randint(1, 2))
    for point in {place - die for place in places for die in dice} | {25 - sum(dice)}:
        if point > 0 and point not in places and 25 - point not in theirs and rng.random() < 0.7:
            theirs[25 - point] = rng.choice((2, 2, 1))
    if theirs.total() > 15:
        return entering_turn(rng)
    theirs[0] = 15 - theirs.total()
    mine = Counter(places) + Counter({25: 1})
    mine[0] = 15 - mine.total()
    return (reference.side(mine), reference.side(theirs)), dice


# --- choosing ---------------------------------------------------------------------------------------------------------


def rule_of(ways: list[str]) -> str:
    """The last rule that one of these ways breaks; a roll that every way plays right shows which plays are one."""
    return max((WAYS[way][0] for way in ways), key=ORDER.index, default="same-position")


class Chosen:
    """The core: enough cases for each rule, and of these enough for each way of having it wrong."""

    def __init__(self) -> None:
        self.of_rule: Counter[str] = Counter()
        self.of_way: Counter[str] = Counter()
        self.ways = {rule: [way for way in WAYS if WAYS[way][0] == rule] for rule in ORDER}

    def wants(self, ways: list[str]) -> bool:
        """Whether this case is one of too few: more is asked of a case that depends on other rules as well."""
        rule = rule_of(ways)
        room = QUOTAS[rule] * (1 if {WAYS[way][0] for way in ways} <= {rule} else 0.5)
        rarest = min((self.of_way[way] for way in ways if WAYS[way][0] == rule), default=0)
        is_rare = rarest < room / max(1, len(self.ways[rule]))
        return self.of_rule[rule] < room * (1 if is_rare else 0.6)

    def add(self, ways: list[str]) -> str:
        rule = rule_of(ways)
        self.of_rule[rule] += 1
        self.of_way.update(way for way in ways if WAYS[way][0] == rule)
        return rule


def plays_cases(collected: list[Case]) -> list[Case]:
    """The collected cases, at least one of each board in the core, and enough boards that bite."""
    collected = sorted(collected, key=lambda case: ("note" not in case, _key(case["question"])), reverse=True)
    # A worked case stands for GNU Backgammon's.
    collected = [*{_key(case["question"]): case for case in collected}.values()]
    chosen, known = Chosen(), {_key(case["question"]) for case in collected}
    cases = [*_given_cases(collected, chosen)]
    for board, dice in candidates(random.Random("plays"), CANDIDATES):
        question = question_of("plays", board, dice)
        if (key := _key(question)) in known:
            continue
        ways = ways_that_differ(board, dice)
        if chosen.wants(ways):
            known.add(key)
            case = {"rule": chosen.add(ways), "core": True, "question": question, "answer": plays_of(board, dice)}
            cases.append(case)
    return cases


def _key(question: Case) -> tuple[int, ...]:
    return (*question["points"], *question["dice"])


def _given_cases(collected: list[Case], chosen: Chosen) -> Iterator[Case]:
    """All of them, with their rules; in the core are the worked ones, and of each board the roll that is wanted."""
    boards: dict[tuple[int, ...], list[tuple[Case, list[str]]]] = {}
    for case in collected:
        question = case["question"]
        board, dice = board_in(question), tuple(question["dice"])
        ways = ways_that_differ(board, dice)
        case |= {"rule": rule_of(ways), "core": "note" in case}
        if case["core"]:
            chosen.add(ways)
        else:
            boards.setdefault(tuple(question["points"]), []).append((case, ways))
    for rolls in boards.values():
        case, ways = min(
            rolls, key=lambda roll: (not chosen.wants(roll[1]), len(roll[1]), chosen.of_rule[rule_of(roll[1])])
        )
        case["core"] = True
        chosen.add(ways)
    yield from collected


# --- orders -----------------------------------------------------------------------------------------------------------


MAX_ORDERS = 60
OF_A_TURN = 500
OF_A_RULE = 180
"""How many cases prove the orders themselves, and how many each rule of checker play beside them."""


def orders_cases() -> list[Case]:
    """Turns in which a rule decides which orders there are, and bear-offs that a shorter order ends as well."""
    chosen: Counter[str] = Counter()
    known, cases = set(), []
    for board, dice in candidates(random.Random("orders"), CANDIDATES // 2):
        if reference.numbers_played(board, dice) == 4 and sum(map(bool, board[0][1:])) > 4:
            continue  # thousands of orders
        right = reference.sequences(board, dice)
        rule = _rule_of_orders(board, dice, right)
        if len(right) > MAX_ORDERS or chosen[rule] >= (OF_A_TURN if rule == "turn" else OF_A_RULE):
            continue
        question = question_of("orders", board, dice)
        if (text := str(question)) not in known:
            known.add(text)
            chosen[rule] += 1
            cases.append({"rule": rule, "core": True, "question": question, "answer": orders_of(board, dice)})
    return cases


OF_REFERENCE = {
    "bar first": "bar",
    "blocked points": "blocked",
    "hits": "hit",
    "all home": "home",
    "larger numbers": "overshoot",
    "highest point": "overshoot",
    "either order": "both-dice",
    "as many as possible": "both-dice",
    "higher die": "higher-die",
    "doublets": "doublet",
}


def _rule_of_orders(board: Board, dice: Dice, right: dict[Any, Board]) -> str:
    """The last rule of checker play that decides the orders; else, and where shorter ones arrive too, the orders."""
    if right.keys() == {()}:
        return "dance"
    if reference.endings(board, dice) != right or reference.shortcuts(board, dice):
        return "turn"
    broken = {
        rule
        for name, rule in OF_REFERENCE.items()
        if {_pairs(path) for path in reference.sequences(board, dice, name)} != {_pairs(path) for path in right}
    }
    broken |= {WAYS[way][0] for way in ways_that_differ(board, dice)} - {"same-position"}
    return max(broken, key=ORDER.index, default="turn")


def _pairs(path: tuple[reference.Step, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((step.start, step.end) for step in path)


# --- counts by depth --------------------------------------------------------------------------------------------------

STARTS = {
    "standard": ({24: 2, 13: 5, 8: 3, 6: 5}, 15),
    "nackgammon": ({24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, 15),
    "longgammon": ({24: 15}, 15),
    "hypergammon": ({24: 1, 23: 1, 22: 1}, 3),
    "hypergammon2": ({24: 1, 23: 1}, 2),
    "hypergammon1": ({24: 1}, 1),
}


def perft_cases() -> list[Case]:
    """Each start to some depths: where all plays are right, a wrong count says that a dance or its end is."""
    cases = []
    for name, (counts, checkers) in STARTS.items():
        side = reference.side(counts, checkers)
        deepest = 4 if checkers == 1 else 2
        plays = _counted((side, side), deepest)
        for depth in range(1, deepest + 1):
            question = {"ask": "perft", "start": name, "depth": depth}
            cases.append({"rule": "play", "core": True, "question": question, "answer": {"plays": plays[:depth]}})
    return cases


def _counted(board: Board, depth: int) -> list[int]:
    level, counts = Counter({board: 1}), []
    for _ in range(depth):
        after: Counter[Board] = Counter()
        for before, ways in level.items():
            for dice in ROLLS:
                for result in reference.results(before, dice):
                    after[reference.flip(result)] += ways
        level = after
        counts.append(level.total())
    return counts
