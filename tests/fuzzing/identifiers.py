"""Identifiers: mutated texts of the field, and texts that were made field by field.

What comes out is a value, or an error of the library, with a short message and in a short time; the warnings are the
documented ones. What reads is written again and reads equal, unless `lost` says what it loses.
"""

from __future__ import annotations

import gzip
import json
import random
import warnings
from functools import partial
from pathlib import Path

from click.testing import CliRunner

from fuzzing.harness import attempt, check_message
from fuzzing.mutation import NUMBERS, mutated
from fuzzing.tables import check_identifiers, check_table, random_table
from gammonrules import IdentifierWarning, MatchState, Player, Position
from gammonrules.cli.app import app
from gammonrules.identifiers import read

DATA = Path(__file__).parents[1] / "data"
READERS = {
    "read": read,
    "from_id": Position.from_id,
    "from_xgid": MatchState.from_xgid,
    "from_gnubg_id": MatchState.from_gnubg_id,
    "from_ogid": MatchState.from_ogid,
    "fibs_board": partial(read, form="fibs_board"),
    "gnubg_line": partial(read, form="gnubg_line"),
    "bot_line": partial(read, form="bot_line"),
}
COMMANDS = (["show"], ["plays"], ["plays", "--json"], ["perft", "--json"])


def _texts() -> dict[str, list[str]]:
    """Texts of other programs by kind."""
    xgids = [line.split("\t")[0] for line in (DATA / "xgids.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    with gzip.open(DATA / "gnubg_ids.tsv.gz", "rt", encoding="ascii") as file:
        pairs = [line.split() for line in file.read().splitlines()[1:]]
    for name in ("ids.jsonl", "ids-refused.jsonl"):
        for line in (DATA / name).read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            pairs.append([entry["position_id"], entry["match_id"]])
            xgids += filter(None, [entry["xgid"]])
    return {
        "xgid": xgids,
        "position": [board for board, _ in pairs],
        "gnubg": [f"{board}:{match}" for board, match in pairs]
        + [f"Position ID: {board}\nMatch ID: {match}" for board, match in pairs[:100]],
        "ogid": [
            "0ccchhhjjjjn:4566666888dddmp:W1N:25:W::2:3:7:0",
            "OGID=11jjjjjhhhccccc:ooddddd88866666:N0N::W",
            "11jjjjjhhhccccc:ooddddd88866666:N0N:62:B:IW:0:0:1:15:12",
            "11jjjjjhhhccccc:ooddddd88866666:W2O::B:IW:3:4:7:1:12",
            "cccffiijjjkkmmn:3345556688dddll:N0O::W:D:4:0:5C:17",
            "11ccccchhhjjjjj:66666888ddddddo:B1T::B:A:0:0:0L:1",
        ],
        "fibs": [
            "board:You:she:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0",
            "board:Xavier:Olga:7:3:2:-1:0:0:0:1:1:5:0:3:0:0:0:-3:3:0:0:0:-3:0:-4:0:0:1:-1:0:1:1:5:2:5:2:2:0:1:0:1:-1:0:25",
        ],
    }


TEXTS = _texts()
ALL = [text for texts in TEXTS.values() for text in texts]
OWN_READER = {
    "xgid": "from_xgid",
    "position": "from_id",
    "gnubg": "from_gnubg_id",
    "ogid": "from_ogid",
    "fibs": "fibs_board",
}

Case = tuple[str, str, bool]
"""A reader, a text, and whether the command gets the text too, which takes longer."""


def case(rng: random.Random) -> Case:
    """A reader and a text."""
    kind = rng.choice(list(TEXTS))
    match rng.randrange(8):
        case 0:
            text = _made_up(rng, kind)
        case 1:
            state = random_table(rng, actions=rng.randrange(4))
            text = rng.choice((state.xgid, state.gnubg_id, state.ogid))
        case 2:
            text = rng.choice(TEXTS[kind])
        case _:
            text = mutated(rng, rng.choice(TEXTS[kind]), TEXTS[kind] if rng.random() < 0.9 else ALL)
    reader = OWN_READER[kind] if rng.random() < 0.4 else "read" if rng.random() < 0.9 else rng.choice(list(READERS))
    return reader, text, rng.random() < 0.01


def _made_up(rng: random.Random, kind: str) -> str:
    """A text whose fields have the right form, or nearly."""

    def number(*usual: object) -> str:
        return str(rng.choice(usual)) if rng.random() < 0.9 else rng.choice(NUMBERS)

    def side(start: str) -> str:
        return "".join(sorted(rng.choice("0123456789abcdefghijklmnop") for _ in range(rng.randrange(16)))) or start

    match kind:
        case "xgid":
            board = rng.choice(TEXTS["xgid"]).removeprefix("XGID=").split(":")[0]
            fields = [board, number(0, 1, 2, 6), number(-1, 0, 1), number(-1, 1), number("00", 31, 66, "D", "B", "R")]
            fields += [number(0, 1, 4, 6), number(0, 2, 5, 6), number(0, 1, 2, 3), number(0, 1, 5, 7), number(0, 6, 10)]
            return "XGID=" + ":".join(fields)
        case "ogid":
            fields = [side("0"), side("p"), number("N0N", "W1N", "B2O", "N0O", "W3T", "D0N", "?1N"), number("", 25, 66)]
            fields += [number("W", "B"), number("", "IW", "IB", "R", "C", "D", "G", "FR")]
            fields += [number("", 0, 1, 3, 7, "7C", "3L") for _ in range(5)]
            return ":".join(fields[: rng.choice((5, 7, 9, 10, 11, 11))])
        case "fibs":
            fields = rng.choice(TEXTS["fibs"]).split(":")
            for _ in range(rng.randrange(6)):
                fields[rng.randrange(3, len(fields))] = number(0, 1, -1, 2, 3, 5, 25)
            return ":".join(fields)
        case _:
            letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            parts = ["".join(rng.choice(letters + "A" * 60) for _ in range(length)) for length in (14, 12)]
            if rng.random() < 0.7:
                parts[0] = rng.choice(TEXTS["position"])
            return ":".join(parts[: 1 if kind == "position" else 2])


def check(case: Case) -> None:
    """Read a text by a reader, and write what was read."""
    reader, text, command = case
    state = _read(reader, text)
    if isinstance(state, Position):
        assert Position.from_id(state.id, checkers=state.checkers) == state
        assert read(state.id, checkers=state.checkers) == state
        assert state.flip().flip() == state
    elif isinstance(state, MatchState):
        check_identifiers(state)
        check_identifiers(state, state.rules)
        if len(text) % 8 == 0:  # which is slower
            check_table(state)
    if reader == "from_xgid":
        _check_turns(state, _read("read", text, form="xgid", doubled_turn="responder"))
    if command:
        _check_command(text)


def _read(reader: str, text: str, **options: str) -> Position | MatchState | None:
    """What a reader makes of a text; all it may say about it is an error or a warning of ours."""
    with warnings.catch_warnings(record=True) as doubts:
        warnings.simplefilter("always")
        state, _ = attempt(lambda: READERS[reader](text, **options), seconds=0.05 * (1 + len(text) / 1000))
    for doubt in doubts:
        assert issubclass(doubt.category, IdentifierWarning), doubt
        check_message(doubt.message)
    return state


def _check_turns(state: object, other: object) -> None:
    """The two readings of whose turn it is differ in a pending double only, and each takes what the other takes."""
    if state == other:
        return
    assert isinstance(state, MatchState), "only one of the readings succeeds"
    assert isinstance(other, MatchState), "only one of the readings succeeds"
    double, other_double = state.pending_double, other.pending_double
    assert double is not None
    assert other_double is not None
    assert double.by is other_double.by.opponent
    assert (state.view(Player.WHITE), state.cube, state.score) == (other.view(Player.WHITE), other.cube, other.score)


def _check_command(text: str) -> None:
    """The commands that take an identifier end with a status of theirs, and without a traceback."""
    for command, *options in COMMANDS:
        more = {"plays": ["31"], "perft": ["1"]}.get(command, [])
        result = CliRunner().invoke(app, [command, *options, "--", text, *more])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        assert result.exit_code in (0, 2), result
        if "--json" in options and result.exit_code == 0:
            json.loads(result.stdout)
