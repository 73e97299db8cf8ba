"""OGIDs of other programs for random states: those of libogxm (`ogxm`) and of GammonView (`gammonview`), both on PyPI.

`python tests/identifiers/ogid_witnesses.py --states 2000` compares them with ours, in both directions, and prints
numbers; with `--write` it writes some of them with their states into `tests/data/ogids.tsv`.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import combinations_with_replacement, islice
from pathlib import Path
from typing import Any

from fuzzing.tables import random_table
from gammonrules import Action, IdentifierWarning, MatchState, Player, Rules
from gammonrules.identifiers import lost

DATA = Path(__file__).parents[1] / "data" / "ogids.tsv"
ROLLS = list(combinations_with_replacement(range(1, 7), 2))
DOUBLE, TAKE = 21, 22


def states_of_ogxm(rng: random.Random, ogxm: Any) -> Iterator[tuple[str, MatchState]]:
    """The states of random games, each with the text that libogxm writes when it replays them."""
    while True:
        length, rules = rng.choice((None, None, 1, 3, 5, 9)), Rules()
        score = (0, 0) if length is None else (rng.randrange(length), rng.randrange(length))
        crawford = rng.random() < 0.5 and len(set(score)) == 2  # libogxm takes 4-4 for the Crawford game too
        state = MatchState.new(length, rules=rules, score=score, crawford=None if crawford else False)
        state, states, plies = state.opening_roll(*rng.sample(range(1, 7), 2)), [], []
        for _ in range(rng.choice((3, 10, 200))):
            states.append(state)
            ply, state = _step(rng, state)
            plies.append(ply)
            if state.result is not None:
                break
        yield from zip(_replayed(ogxm, plies, states[0], crawford=crawford), states, strict=True)


def _step(rng: random.Random, state: MatchState) -> tuple[dict[str, Any], MatchState]:
    """A random action of a game, as libogxm has it, and the state after it; the dice are rolled for the next play."""
    ply: dict[str, Any] = {"color": int(state.to_act is Player.WHITE)}
    if state.dice is None:
        action, state = (DOUBLE, state.double()) if state.offer is None else (TAKE, state.take())
        return ply | {"action_id": action}, state if state.offer else _rolled(rng, state)
    dice, play = (state.dice.low, state.dice.high), rng.choice(state.legal_plays)
    numbered = (lambda point: 25 - point) if state.on_roll is Player.WHITE else int
    moves = [{"from": numbered(move.from_point), "pips": move.from_point - move.to_point} for move in play.moves]
    ply |= {"action_id": ROLLS.index(dice), "d1": dice[0], "d2": dice[1], "moves": moves}
    state = state.play(play)
    doubles = Action.DOUBLE in state.legal_actions and state.cube.value < 64 and rng.random() < 0.2
    return ply, state if doubles or state.result is not None else _rolled(rng, state)


def _rolled(rng: random.Random, state: MatchState) -> MatchState:
    return state.roll((rng.randint(1, 6), rng.randint(1, 6)))


def _replayed(ogxm: Any, plies: list[dict[str, Any]], first: MatchState, *, crawford: bool) -> list[str]:
    """The text of the state before each ply."""
    white, black = first.score
    document = {
        "ogxm": {"major": 2, "minor": 0},
        "player_white": "Ann",
        "player_black": "Bob",
        "variant": "backgammon",
        "source": 3,
        "result": 0,
        "started_at": 0,
        "timestamp": 0,
        "jacoby": False,
        "crawford": crawford,
        "match_length": first.length or 0,
        "white_score_start": white,
        "black_score_start": black,
        "white_score": white,
        "black_score": black,
        "replay_complete": True,
        "games": [
            {
                "game_index": 0,
                "first_to_move": plies[0]["color"],
                "is_crawford": first.crawford,
                "is_default_board": True,
                "is_lastgame": False,
                "plies": plies,
            }
        ],
    }
    read = ogxm.binary_to_json(ogxm.json_to_binary(document))
    return [ply["ogid_before"] for ply in read["games"][0]["plies"]]


def states_of_gammonview(rng: random.Random, gvformat: Any) -> Iterator[tuple[str, MatchState]]:
    """Random states that an OGID can hold, each with the text that GammonView writes."""
    while True:
        state = random_table(rng)
        if state.cube.value <= 64 and not lost(state, "ogid", state.rules):
            yield text_of_gammonview(state, gvformat), state


def text_of_gammonview(state: MatchState, gvformat: Any) -> str:
    """What GammonView writes for a state, from its fields."""
    acts = state.to_act or Player.WHITE
    return gvformat.board_to_ogid(
        _seen_by(state, acts),
        mover_is_white=acts is Player.WHITE,
        cube_value=state.cube.value,
        cube_owner="N" if state.cube.owner is None else state.cube.owner[0].upper(),
        cube_action="N" if state.offer is None else "O",
        dice=state.dice and (state.dice.high, state.dice.low),
        game_state=state.ogid.split(":")[5],
        score_white=state.score[Player.WHITE],
        score_black=state.score[Player.BLACK],
        match_length=state.length or 0,
        crawford=state.crawford,
        nrof_checkers=state.position.checkers,
    )


def read_by_gammonview(text: str, gvformat: Any) -> tuple[object, ...]:
    """What GammonView makes of a text; `as_gammonview` says the same of a state."""
    said = gvformat.parse_ogid(text)
    dice = (said.die1, said.die2) if said.die1 else None
    scores, checkers = (said.score_white, said.score_black), said.nrof_checkers
    cube = said.cube_value, said.cube_owner, said.cube_action
    return said.board, said.mover_is_white, dice, cube, scores, said.match_length, said.crawford, checkers


def as_gammonview(state: MatchState) -> tuple[object, ...]:
    """A state as GammonView sees it."""
    acts = state.to_act or Player.WHITE
    dice = None if state.dice is None else (state.dice.low, state.dice.high)
    owner = {None: "centered", acts: "player"}.get(state.cube.owner, "opponent")
    cube = state.cube.value, owner, "N" if state.offer is None else "O"
    is_white, length, checkers = acts is Player.WHITE, state.length or 0, state.position.checkers
    return _seen_by(state, acts), is_white, dice, cube, state.score, length, state.crawford, checkers


def _seen_by(state: MatchState, player: Player) -> list[int]:
    """The board as GammonView has it: both bars are counts."""
    points = list(state.view(player).points)
    return [-points[0], *points[1:]]


def as_written(text: str) -> str:
    """An OGID of another program as the library writes it: without a move number, and no longer just after a take."""
    fields = text.split(":")
    fields[2] = fields[2].replace("T", "N")
    fields[5] = {"A": "C", "R": "R"}.get(fields[5], fields[5])
    fields[9] = "0"
    return ":".join(fields)


def compared(pairs: Iterable[tuple[str, MatchState]], gvformat: Any) -> Counter[str]:
    """How many texts of another program are equal to ours, and are read as the state; and our texts by GammonView."""
    counts: Counter[str] = Counter()
    for text, state in pairs:
        counts["states"] += 1
        counts["texts equal"] += as_written(text) == state.ogid
        counts["read as the state"] += MatchState.from_ogid(text, state.rules) == state
        counts["read by GammonView"] += read_by_gammonview(state.ogid, gvformat) == as_gammonview(state)
    return counts


def chosen(writer: str, pairs: Iterable[tuple[str, MatchState]]) -> Iterator[tuple[str, str, str]]:
    """Rows of the table: one text of each kind whose state an XGID holds."""
    kinds = set()
    for text, state in pairs:
        _, _, cube, dice, color, said, _, _, length, *_ = text.split(":")
        kind = cube, bool(dice), color, said, length == "0", length[-1] == "C"
        if kind not in kinds and not lost(state, "xgid"):
            kinds.add(kind)
            yield writer, text, state.xgid


def main() -> None:
    """Compare, print and, if asked, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--states", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", IdentifierWarning)
    rng, rows = random.Random(arguments.seed), [("writer", "ogid", "xgid")]
    gvformat = import_module("gvformat")
    witnesses = {
        "libogxm": states_of_ogxm(rng, import_module("ogxm")),
        "GammonView": states_of_gammonview(rng, gvformat),
    }
    for writer, states in witnesses.items():
        pairs = list(islice(states, arguments.states))
        sys.stdout.write(f"{writer}: {dict(compared(pairs, gvformat))}\n")
        rows += chosen(writer, pairs)
    if arguments.write:
        with DATA.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main()
