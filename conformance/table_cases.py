"""States of the table with an action: the next state, or that it is refused, by the model of the tests."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain, permutations
from pathlib import Path
from typing import Any

from flat_tables import SEATS, WAYS, WINS, FlatTable, answer

import reference
from boards import random_board

Case = dict[str, Any]

ORDER = [*json.loads((Path(__file__).parent / "rules.json").read_text(encoding="utf-8"))]
STEPS = 4_000
OF_A_WAY = 26
"""How many cases are wanted of each way to have a rule wrong."""
SIMPLE = ("take", "drop", "beaver", "accept", "decline", "double")
BOARDS = [
    ({1: 1}, {6: 15}),
    ({1: 1}, {6: 14}),
    ({1: 1}, {6: 14, 20: 1}),
    ({1: 2}, {6: 14, 25: 1}),
    ({1: 1}, {6: 13, 25: 1}),
    ({1: 1}, {6: 14, 18: 1}),
    ({1: 1}, {6: 14, 19: 1}),
    ({2: 1, 1: 1}, {6: 13, 22: 1}),
    ({1: 1}, {1: 1}),
]
OF_THREE = [({1: 1}, theirs) for theirs in ({6: 3}, {6: 2}, {6: 2, 20: 1}, {6: 1, 19: 1, 25: 1})]
DANCES = [
    ({25: 1, 13: 14}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 8: 3}),
    ({25: 2, 6: 13}, {1: 3, 2: 3, 3: 3, 5: 3, 6: 3}),
    ({25: 1, 6: 14}, {2: 4, 4: 4, 6: 7}),
    ({24: 15}, {2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2, 13: 3}),
]
"""Boards on which some rolls cannot be played."""
CLOSED = {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2}
SHUT_OUT = [({25: 1, 8: 14}, CLOSED | {7: 3}), ({25: 2, 6: 13}, CLOSED | {8: 3})]
STARTS = ("standard", "standard", "nackgammon", "longgammon", "hypergammon")


def rules_by_chance(rng: random.Random) -> Case:
    gammons, backgammons = rng.choice(((True, True), (True, True), (True, False), (False, False)))
    pips = rng.random() < 0.07
    return {
        "crawford": rng.random() < 0.8,
        "jacoby": not pips and rng.random() < 0.4,
        "beavers": 0 if pips else rng.choice((0, 0, 1, 2)),
        "auto_doubles": 0 if pips else rng.choice((0, 0, 1, 2)),
        "max_cube": rng.choice((None, None, None, None, 2, 4, 64)),
        "cube": not pips and rng.random() < 0.93,
        "gammons": gammons,
        "backgammons": backgammons,
        "scoring": "pips" if pips else "points",
        "opening": rng.choice(("shared", "shared", "reroll")),
        "start": rng.choice(STARTS),
    }


def new_table(rng: random.Random) -> FlatTable:
    """A game before its opening roll, at any score."""
    rules, length = rules_by_chance(rng), rng.choice((None, None, 1, 3, 5, 5, 7, 7))
    if rules["scoring"] == "pips":
        length = None
    score = [0, 0] if length is None else [rng.choice((0, length // 2, length - 1, length - 1)) for _ in range(2)]
    mine, theirs = (reference.side({24: 2, 13: 5, 8: 3, 6: 5}),) * 2
    crawford = rules["crawford"] and length is not None and (length - 1 in score) and score[0] != score[1]
    state = {
        "length": length,
        "score": score,
        "crawford": crawford and rng.random() < 0.6,
        "rules": rules,
        "on_roll": None,
        "points": list(reference.signed((mine, theirs))),
        "dice": None,
        "cube": 1,
        "owner": None,
        "offer": None,
        "result": None,
    }
    return FlatTable(state | {"rules": rules | {"start": "standard"}})


def set_board(rng: random.Random, table: FlatTable) -> None:
    """Another board in the middle of the game, most often one that is nearly over."""
    if rng.random() < 0.3:
        mine, theirs = random_board(rng)
        if sum(mine) != 15:
            return
    else:
        mine, theirs = map(reference.side, rng.choice(BOARDS))
    put(table, (mine, theirs))


def put(table: FlatTable, board: reference.Board) -> None:
    """This board, as the player on roll sees it."""
    table.board[table.turn], table.board[1 - table.turn] = ([0, *side[1:]] for side in board)


def actions(rng: random.Random, table: FlatTable) -> Iterator[Case]:
    """What somebody may try."""
    for by in ("white", "black"):
        yield {"do": "roll", "by": by, "dice": sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)}
        yield from ({"do": do, "by": by} for do in SIMPLE)
        yield {"do": "resign", "by": by, "win": rng.choice(("single", "gammon", "backgammon"))}
        if rng.random() < 0.15:
            yield {"do": "forfeit", "by": by, "points": rng.choice((None, 1, 2, 9))}
        yield {"do": "play", "by": by, "moves": moves_by_chance(rng, table)}
    yield {"do": "opening_roll", "white": rng.randint(1, 3), "black": rng.randint(1, 3)}
    yield {"do": "next_game"} | rng.choice(({}, {}, {"starter": "white"}, {"starter": "black"}))


def moves_by_chance(rng: random.Random, table: FlatTable) -> list[list[int]]:
    """A legal sequence, at times of another roll."""
    if table.dice is None:
        return []
    dice = sorted(table.dice, reverse=True) if rng.random() < 0.9 else [rng.randint(1, 6), rng.randint(1, 6)]
    return moved(rng, table, (dice * 4)[:4] if dice[0] == dice[-1] else dice)


def moved(rng: random.Random, table: FlatTable, numbers: list[int]) -> list[list[int]]:
    """Moves of these dice in this order, until one cannot be played."""
    board, moves = (table._side(table.turn), table._side(1 - table.turn)), []
    for die in numbers:
        steps = [*reference.steps(board, die)]
        if not steps or reference.is_over(board):
            break
        step, board = rng.choice(steps)
        moves.append([step.start, step.end])
    return moves


def walked(rng: random.Random) -> Iterator[tuple[Case, Case, Case]]:
    """State, action and answer of everything that somebody may try on the way through games by chance."""
    table = new_table(rng)
    for _ in range(STEPS):
        if rng.random() < 0.03:
            table = new_table(rng)
        if table.phase in {"to_roll", "to_play"} and rng.random() < (0.5 if table.dice else 0.1):
            set_board(rng, table)
        state = table.flat()
        tried = [(action, answer(state, action)) for action in actions(rng, table)]
        legal = [(action, reply) for action, reply in tried if "state" in reply]
        refused = [(action, reply) for action, reply in tried if "state" not in reply]
        yield from ((state, *pair) for pair in legal + rng.sample(refused, 4))
        legal = [pair for pair in legal if pair[0]["do"] != "forfeit"]
        likely = [pair for pair in legal if pair[0]["do"] in {"roll", "play", "double", "beaver", "take"}]
        table = FlatTable(rng.choice(legal + likely * 3)[1]["state"]) if legal else new_table(rng)


def directed(rng: random.Random) -> Iterator[tuple[Case, Case, Case]]:
    """What games by chance hardly come to."""
    for table, action in chain(decided(rng), ties(rng), wins(rng), turns(rng), doubles(rng), redoubles(rng)):
        state = table.flat()
        yield state, action, answer(state, action)
    for table, action in starts(rng):
        over = answer(table.flat(), action)["state"]
        next_game = {"do": "next_game"} | rng.choice(({}, {"starter": "white"}, {"starter": "black"}))
        yield over, next_game, answer(over, next_game)


def rare(rng: random.Random) -> Iterator[tuple[Case, Case, Case]]:
    """What some ways to have a rule wrong still need after all of that."""
    for table, action in chain(cubes(rng), forfeits(rng), resignations(rng), unequal(rng)):
        state = table.flat()
        yield state, action, answer(state, action)
    for table, action in chain(last_points(rng), forfeits(rng)):
        over = answer(table.flat(), action).get("state")
        if over and over["result"]:
            yield over, {"do": "next_game"}, answer(over, {"do": "next_game"})


def decided(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """Doubles at one point away, and gammons with a cube that a tie has turned, and without a cube."""
    for _ in range(300):
        table = new_table(rng)
        if table.length is None:
            table.rules = table.rules | {"jacoby": True, "auto_doubles": 1, "cube": True, "scoring": "points"}
            table.cube, table.owner = rng.choice(((1, None), (1, None), (2, None), (2, None), (2, 0), (2, 1)))
            table.rules["cube"] = table.cube > 1 or rng.random() < 0.5
            yield table, last_play(rng, table, BOARDS[:-1])
        else:
            table.turn, table.phase = rng.choice((0, 1)), "to_roll"
            yield table, {"do": "double", "by": SEATS[table.turn]}


def last_play(rng: random.Random, table: FlatTable, boards: list[Any]) -> Case:
    """The play that ends this game, if only one checker is left."""
    table.turn, table.phase, table.dice = rng.choice((0, 1)), "to_play", {6, 5}
    put(table, tuple(map(reference.side, rng.choice(boards))))
    return {"do": "play", "by": SEATS[table.turn], "moves": [[1, 0]]}


def game(rng: random.Random, length: int | None, **rules: Any) -> FlatTable:
    """A game of a match, at no score, or of money play, under these rules."""
    table = new_table(rng)
    table.length, table.score, table.crawford = length, [0, 0], False
    table.rules = table.rules | {"jacoby": False, "scoring": "points"} | rules
    return table


def money(rng: random.Random, **rules: Any) -> FlatTable:
    """Money play under these rules."""
    return game(rng, None, **rules)


def ties(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """A tie in the opening roll with a cube at its limit and below it, after others, and without a cube."""
    for cube in (2, 4, 8):
        for limit in (cube, 2 * cube):
            table = money(rng, auto_doubles=4, max_cube=limit, cube=True)
            table.cube = cube
            yield table, {"do": "opening_roll", "white": 3, "black": 3}
    for agreed in (1, 2, 3):
        for before in range(agreed + 2):
            table = money(rng, auto_doubles=agreed, max_cube=None, cube=True)
            table.cube = 2**before
            yield table, {"do": "opening_roll", "white": 5, "black": 5}
    for die in range(1, 7):
        yield money(rng, auto_doubles=2, cube=False), {"do": "opening_roll", "white": die, "black": die}


def wins(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """Wins of each level with 15 checkers, and with three, where every level counts."""
    for _ in range(150):
        table = game(rng, 7, gammons=True, backgammons=True, cube=True, max_cube=None, start="standard")
        table.cube, table.owner = rng.choice(((1, None), (1, None), (2, 0), (4, 1)))
        boards = BOARDS[:-1]
        if rng.random() < 0.4:
            table.checkers, boards, table.rules["start"] = 3, OF_THREE, "hypergammon"
        yield table, last_play(rng, table, boards)


def turns(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """Rolls, and plays with all their moves, one too few, two made one, and none; many cannot be played."""
    for _ in range(150):
        table = game(rng, None)
        table.turn, table.phase = rng.choice((0, 1)), "to_roll"
        sides = rng.choice(DANCES) if rng.random() < 0.5 else random_board(rng)
        mine, theirs = (reference.side(side) if isinstance(side, dict) else side for side in sides)
        if sum(mine) != 15:
            continue
        put(table, (mine, theirs))
        by, dice = SEATS[table.turn], [rng.randint(1, 6), rng.randint(1, 6)]
        yield table, {"do": "roll", "by": by, "dice": sorted(dice, reverse=True)}
        table.phase, table.dice = "to_play", set(dice)
        moves = moves_by_chance(rng, table)
        for some in (moves, moves[:-1], joined(moves), []):
            yield table, {"do": "play", "by": by, "moves": some}


def joined(moves: list[list[int]]) -> list[list[int]]:
    """The first two moves as one, if one checker makes them."""
    if len(moves) > 1 and moves[0][1] == moves[1][0]:
        return [[moves[0][0], moves[1][1]], *moves[2:]]
    return moves


def doubles(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """Doubles with a cube of any value, by its owner and others."""
    for _ in range(300):
        length = rng.choice((None, None, 5, 7, 11))
        cube = 2 ** rng.randint(0, 8 if length is None else 2)
        limit = rng.choice((None, None, None, 64, 128, 1024))
        table = game(rng, length, cube=True, max_cube=None if limit and limit < cube else limit)
        table.score = [rng.randint(0, length - 2) for _ in range(2)] if length else table.score
        table.turn, table.phase = rng.choice((0, 1)), "to_roll"
        table.cube, table.owner = cube, None if cube == 1 else rng.choice((0, 1))
        yield table, {"do": "double", "by": rng.choice((SEATS[table.turn], *SEATS))}


def redoubles(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """What is answered to a double, and to its beavers."""
    for _ in range(120):
        length = rng.choice((None, None, None, 11))
        table = game(rng, length, cube=True, max_cube=None, beavers=rng.choice((1, 2, 3)))
        table.turn, table.phase = rng.choice((0, 1)), "doubled"
        table.cube, table.owner = rng.choice(((1, None), (2, table.turn)))
        table.doubled = 1 if length else rng.randint(1, table.rules["beavers"] + 1)
        yield table, {"do": rng.choice(("take", "drop", "beaver")), "by": rng.choice(SEATS)}


def starts(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """The end of a game before others, with a cube that was turned, and with another start."""
    for start in ("nackgammon", "longgammon", "hypergammon") + 40 * ("standard",):
        table = game(rng, rng.choice((None, 25)), start=start, cube=True, max_cube=None)
        table.cube, table.owner = rng.choice(((2, 0), (4, 1)))
        table.checkers = 3 if start == "hypergammon" else 15
        yield table, last_play(rng, table, OF_THREE if table.checkers == 3 else BOARDS[:1])


def cubes(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """A cube in the middle that ties have turned, doubles of who is shut out, and up to a limit, in matches too."""
    for _ in range(60):
        table = money(rng, cube=True, max_cube=None, auto_doubles=2)
        table.turn, table.phase, table.cube = rng.choice((0, 1)), "to_roll", rng.choice((2, 4))
        yield table, {"do": "double", "by": SEATS[table.turn]}
        table.cube = 1
        put(table, tuple(map(reference.side, rng.choice(SHUT_OUT))))
        yield table, {"do": "double", "by": SEATS[table.turn]}
    for _ in range(120):
        length, doubled, cube = rng.choice(((None, 1, 1), (None, 2, 1), (None, 0, 2), (15, 0, 1), (15, 0, 2)))
        limit = (2**doubled) * cube * rng.choice((1, 1, 2, 4))
        table = game(rng, length, cube=True, beavers=3, auto_doubles=0, max_cube=limit)
        table.turn, table.phase = rng.choice((0, 1)), "doubled" if doubled else "to_roll"
        table.cube, table.owner, table.doubled = cube, None if cube == 1 else table.turn, doubled or None
        yield table, {"do": "beaver" if doubled else "double", "by": SEATS[table.actor()]}


def forfeits(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """Forfeits of less than a match, of all of it and of more, before, in and after a game."""
    for _ in range(200):
        length = rng.choice((None, 3, 5, 7))
        table = game(rng, length, start="standard")
        table.phase = rng.choice(("opening", "to_roll"))
        table.turn = None if table.phase == "opening" else rng.choice((0, 1))
        if rng.random() < 0.4:
            table.forfeit(rng.choice((0, 1)), 1)
            if rng.random() < 0.5:
                yield table, {"do": "opening_roll", "white": 3, "black": 1}
        points = rng.choice((None, 1, length or 2, (length or 2) + 1))
        yield table, {"do": "forfeit", "by": rng.choice(SEATS), "points": points}


def resignations(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """Resignations under doubles and beavers, and with pip scoring, offered and answered."""
    for _ in range(400):
        table = money(rng, cube=True, max_cube=None, beavers=3, jacoby=rng.random() < 0.5)
        table.turn, table.phase = rng.choice((0, 1)), "doubled"
        table.cube, table.owner = rng.choice(((1, None), (2, table.turn)))
        table.doubled = rng.randint(1, 3)
        if rng.random() < 0.3:
            pips = {"scoring": "pips", "cube": False, "jacoby": False, "beavers": 0, "auto_doubles": 0}
            table = money(rng, max_cube=None, **pips)
            table.turn, table.phase = rng.choice((0, 1)), "to_roll"
            put(table, rng.choice([board for board in (random_board(rng) for _ in range(9)) if sum(board[0]) == 15]))
        seat = rng.choice((0, 1))
        level = rng.randint(1, 3) if table.rules["cube"] else 1
        if rng.random() < 0.3:
            yield table, {"do": "resign", "by": SEATS[seat], "win": WINS[level]}
        else:
            table.resign(seat, level)
            by = SEATS[1 - seat if rng.random() < 0.8 else seat]
            yield table, {"do": rng.choice(("accept", "accept", "decline", "take", "drop")), "by": by}


def unequal(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """On boards that are not the same for both: opening rolls, and plays with the lower die first."""
    for _ in range(60):
        table = game(rng, None, auto_doubles=0, start="standard")
        mine, theirs = random_board(rng)
        if sum(mine) == 15:
            table.board = [[0, *mine[1:]], [0, *theirs[1:]]]
            yield table, {"do": "opening_roll", "white": rng.randint(1, 6), "black": rng.randint(1, 6)}
            table.turn, table.phase, low = rng.choice((0, 1)), "to_play", rng.randint(1, 5)
            table.dice = {low, rng.randint(low + 1, 6)}
            yield table, {"do": "play", "by": SEATS[table.turn], "moves": moved(rng, table, sorted(table.dice))}


def last_points(rng: random.Random) -> Iterator[tuple[FlatTable, Case]]:
    """The end, of any kind, of a game that leaves a player one point from winning."""
    for _ in range(200):
        length, winner = rng.choice((2, 3, 5, 7)), rng.choice((0, 1))
        table = game(rng, length, crawford=rng.random() < 0.9, cube=True, max_cube=None, start="standard")
        table.score = [rng.randint(0, max(length - 3, 0))] * 2
        table.score[winner] = length - 2
        table.turn, table.phase = winner, "to_roll"
        loses, wins = ({"by": SEATS[seat]} for seat in (1 - winner, winner))
        match rng.choice(("drop", "accept", "forfeit")):
            case "drop":
                table.double()
                yield table, {"do": "drop"} | loses
            case "accept":
                table.resign(1 - winner, 1)
                yield table, {"do": "accept"} | wins
            case _:
                yield table, {"do": "forfeit", "points": 1} | loses


def table_cases(collected: list[Case]) -> list[Case]:
    """The collected cases, and enough for each way to have a rule of the table wrong."""
    of_way, cases = Counter[str](), [*collected]
    for case in collected:
        ways = ways_that_differ(case["question"]["state"], case["question"]["action"], case["answer"])
        case["rule"] = rule_of(ways)
    known: set[str] = set()
    turns_of = (directed(random.Random("directed")), walked(random.Random("table")), rare(random.Random("rare")))
    for state, action, reply in chain(*turns_of):
        ways = ways_that_differ(state, action, reply)
        rule = rule_of(ways)
        own = [way for way in ways if WAYS[way][0] == rule] or ["nothing wrong"]
        room = OF_A_WAY * (1 if {WAYS[way][0] for way in ways} <= {rule} else 0.6)
        question = {"ask": "table", "state": state, "action": action}
        is_wanted = min(of_way[way] for way in own) < room and str(question) not in known
        if is_wanted and not is_in_another_order(state, action, reply):
            known.add(str(question))
            of_way.update(own)
            cases.append({"rule": rule, "core": True, "question": question, "answer": reply})
    return cases


def is_in_another_order(state: Case, action: Case, reply: Case) -> bool:
    """Whether these moves would be a play in another order, which people may mean and the library takes."""
    orders = permutations(action.get("moves", ())) if "refused" in reply else ()
    return any("state" in answer(state, action | {"moves": [*moves]}) for moves in orders)


def ways_that_differ(state: Case, action: Case, reply: Case) -> list[str]:
    right = {key: value for key, value in reply.items() if key != "id"}
    return [way for way, (_, table) in WAYS.items() if wrong_answer(state, action, table) != right]


def rule_of(ways: list[str]) -> str:
    """The last rule that one of these ways breaks."""
    return max((WAYS[way][0] for way in ways), key=ORDER.index, default="action")


def wrong_answer(state: Case, action: Case, table: type[FlatTable]) -> Case | None:
    try:
        return answer(state, action, table)
    except (KeyError, TypeError, IndexError, AttributeError, ValueError):
        return None  # such a program would not get here
