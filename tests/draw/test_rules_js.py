"""`rules.js` against the library and against the brute force, and what it says of bad input."""

from __future__ import annotations

import gzip
import json
import shutil
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import processes
import reference
import wording
from boards import cases, position_of
from gammonrules import Dice, GammonError, Position, draw
from gammonrules.board.perft_counts import count_plays

Ask = Callable[[Sequence[Sequence[Any]]], list[Any]]
START = [*Position.start().points]
SHUT_OUT = [-1, 2, 2, 2, 2, 2, 2, *[0] * 12, *[-2] * 6, 1]


def asked(position: Position, name: str, *arguments: object) -> list[Any]:
    return [name, [*position.points], *arguments, {"checkers": position.checkers}]


@pytest.mark.parametrize("count", [200, pytest.param(20_000, marks=pytest.mark.long)])
def test_boards_and_rolls(ask: Ask, count: int) -> None:
    """Plays, their order and their moves as the library has them, and their boards as the brute force does."""
    calls: list[list[Any]] = []
    expected: list[Any] = []
    for board, dice in cases("rules.js", count):
        position = position_of(board)
        plays, outcome = position.legal_plays(dice), position.outcome
        wanted = {reference.signed(reference.flip(result)) for result in reference.results(board, dice)}
        assert {play.position.points for play in plays} == wanted
        calls += [
            asked(position, "legalPlays", dice),
            asked(position, "turn", dice[::-1]),
            asked(position, "pips"),
            asked(position, "isRace"),
            asked(position, "outcome"),
            asked(position, "positionId"),
            ["fromPositionId", f"Position ID: {position.id}", {"checkers": position.checkers}],
        ]
        moves = [[[move.from_point, move.to_point] for move in play.moves] for play in plays]
        expected += [
            [{"points": [*play.position.points], "moves": made} for play, made in zip(plays, moves, strict=True)],
            plays.tree().data,
            [position.pip_count, position.opponent_pip_count],
            position.is_race,
            outcome and {"won": outcome.won, "win": outcome.win},
            position.id,
            [*position.points],
        ]
    answers = zip(calls, ask(calls), expected, strict=True)
    assert [(call, answer, right) for call, answer, right in answers if answer != right] == []


@pytest.mark.parametrize(("name", "depth"), [("standard", 2), ("nackgammon", 2), ("hypergammon", 2)])
def test_perft(ask: Ask, name: Any, depth: int) -> None:
    position = Position.start(name)
    assert ask([asked(position, "perft", depth)]) == [[*count_plays(position, depth)]]


def no_id(text: str) -> str:
    return f"this is no Position ID of a board with at most 15 checkers a side: {text}"


def no_roll(shown: str) -> str:
    return f'a roll must be two whole numbers from 1 to 6, such as [3, 1] or "31", not {shown}'


IMPOSSIBLE = "impossible position: "
WRONG: dict[str, list[Any]] = {
    "expected 26 counts, not something of type object": ["pips", {}],
    "expected 26 counts, not null": ["pips", None],
    "expected 26 counts, not 25": ["pips", START[1:]],
    "expected 26 counts, not '4HPwATDgc/ABMA'": ["pips", "4HPwATDgc/ABMA"],
    "index 3: '2' is not a whole number": ["pips", [*START[:3], "2", *START[4:]]],
    "index 3: 0.5 is not a whole number": ["pips", [*START[:3], 0.5, *START[4:]]],
    "index 3: a list is not a whole number": ["pips", [*START[:3], [1], *START[4:]]],
    f"{IMPOSSIBLE}mine: 30 checkers, but the game has 15": ["pips", [2 * count for count in START]],
    f"{IMPOSSIBLE}theirs: 5 checkers, but the game has 3": ["pips", [0, 1, -5, *[0] * 23], {"checkers": 3}],
    f"{IMPOSSIBLE}mine: 1000 checkers, but the game has 15": ["pips", [0, 1000, *[0] * 24]],
    f"{IMPOSSIBLE}index 25 is my bar, not a place for -1": ["pips", [0, 1, *[0] * 23, -1]],
    f"{IMPOSSIBLE}index 0 is the opponent's bar, not a place for 1": ["pips", [1, -1, *[0] * 24]],
    f"{IMPOSSIBLE}both sides have borne off everything": ["pips", [0] * 26],
    f"{IMPOSSIBLE}both sides are on the bar against a closed board, so neither can ever move": ["pips", SHUT_OUT],
    "each side must have 1 to 15 checkers, not 16": ["pips", START, {"checkers": 16}],
    "each side must have 1 to 15 checkers, not '15'": ["pips", START, {"checkers": "15"}],
    "depth must be a whole number from 1 to 6, not 7": ["perft", START, 7],
    "depth must be a whole number from 1 to 6, not null": ["perft", START, None],
    no_roll("0 and 1"): ["legalPlays", START, [0, 1]],
    no_roll("1 and 7"): ["turn", START, [1, 7]],
    no_roll("'3' and '1'"): ["legalPlays", START, ["3", "1"]],
    no_roll("'07'"): ["turn", START, "07"],
    no_roll("a list"): ["legalPlays", START, [3, 1, 1]],
    "a die must be a whole number from 1 to 6, not 7 and None": ["toDice", 7, None],
    "a die must be a whole number from 1 to 6, not '3'": ["toDice", "3", 1],
    no_roll(f"'{'1' * 39}..."): ["legalPlays", START, "1" * 10**6],
    no_id("'4HPwATDgc/ABM'"): ["fromPositionId", "4HPwATDgc/ABM"],
    no_id("'4HPwATDgc/ABM?A'"): ["fromPositionId", "4HPwATDgc/ABM?A"],
    no_id("'4HPwATDgc/ABM\u0141'"): ["fromPositionId", "4HPwATDgc/ABM\u0141"],  # as a byte, this is an "A"
    no_id("'AAAAAAAAAAAAAA'"): ["fromPositionId", "AAAAAAAAAAAAAA"],
    no_id("14"): ["fromPositionId", 14],
}


def test_what_is_wrong(ask: Ask) -> None:
    said = [answer.get("error") for answer in ask([*WRONG.values()])]
    assert said == [*WRONG]
    # and nothing of it is left
    assert ask([["pips", [2 * count for count in START]], ["pips", START]])[1] == [167, 167]


PASTED = (
    "{}",
    "Position ID: {}",
    "**Position-ID:** `{}`",
    "pos id = {}.",
    "\u201c{}\u201d,",
    "GNU Backgammon Position ID : {}",
    "({}==)",
)
OTHER_LABELS = ("Match ID: {}", "XGID={}", "GNUID={}", "PositionIDs {}", "ID {}", "{}=", "{}:", "- {}")


def test_rolls_in_every_form(ask: Ask) -> None:
    """What is a roll, and what is none, as in Python."""
    blanks = " 3\t-\n1 ", "   3    -    1    ", "      3    -    1     ", "3\u00a01", "3\u20281"
    texts = *blanks, "31", "1-3", "3\u20131", "\u06631", "", "3--1", "31.", "07", "1.0"
    pairs = [1, 3], [3, 1.5], ["3", "1"], [[3], 1], [True, 1], [3], [3, 1, 1], [3, None], [0, 1], [2**32 + 3, 1]
    rolls = [*texts, *pairs, 31, {"0": 3, "1": 1, "length": 2}, None]

    def is_roll(roll: Any) -> bool:
        try:
            return bool(Dice.of(roll))
        except GammonError:
            return False

    taken = ["error" not in answer for answer in ask([["turn", START, roll] for roll in rolls])]
    assert taken == [is_roll(roll) for roll in rolls]
    assert sum(taken) == 5


def test_identifiers_as_people_paste_them(ask: Ask) -> None:
    """The same as `Position.from_id` reads, and nothing that it refuses."""
    wide = {sign: sign + 0xFEE0 for sign in range(ord("!"), 0x7F)}
    bare = "4HPwATDgc/ABMA"
    texts = [form.format(bare) for form in (*PASTED, *OTHER_LABELS)]
    texts += [
        PASTED[1].format(bare).translate(wide),
        f"\u3000{bare}\u200b",
        bare.replace("/", "\u2215"),
        bare.replace("/", "\u2192"),
    ]
    texts += [
        "4HPw ATDgc/ABMA",
        "4HPwATDgc_ABMA",
        bare.replace("/", "-"),
        "(" * 9000 + bare,
        " " * 10_000 + bare,
        "(" * 10_000,
    ]
    read = [isinstance(answer, list) for answer in ask([["fromPositionId", text] for text in texts])]
    assert read == [is_id(text) for text in texts]
    assert read.count(False) == len(OTHER_LABELS) + 5


def is_id(text: str) -> bool:
    try:
        return Position.from_id(text) == Position.start()
    except GammonError:
        return False


@pytest.mark.parametrize("step", [53, pytest.param(1, marks=pytest.mark.long)])
def test_every_sign_is_quoted_as_in_python(tmp_path: Path, step: int) -> None:
    """But those that only one of the two knows, by its version of Unicode."""
    program = """
        const { fromPositionId } = await import("./rules.mjs");
        const told = [];
        for (let code = 0; code < 0x110000; code += code < 0x3100 ? 1 : STEP) {
          const sign = String.fromCodePoint(code);
          try {
            fromPositionId(sign);
          } catch ({ message }) {
            told.push([code, message.split(": ").slice(1).join(": "), /\\p{Cn}/u.test(sign)]);
          }
        }
        console.log(JSON.stringify(told));
    """
    told = json.loads(node(program.replace("STEP", str(step)), tmp_path))
    both = [(code, text) for code, text, is_new in told if is_new == (unicodedata.category(chr(code)) == "Cn")]
    assert [(code, text) for code, text in both if text != repr(chr(code))] == []
    assert len(told) > len(both) * 0.99 > 20_000


CALLS: dict[str, list[Any]] = {
    "legalPlays": [START, "31"],
    "turn": [START, "31"],
    "perft": [START, 1],
    "pips": [START],
    "isRace": [START],
    "outcome": [START],
    "positionId": [START],
    "fromPositionId": ["4HPwATDgc/ABMA"],
    "find": [START, "31", "8/5 6/5"],
    "notation": [START, "31", [[8, 5], [6, 5]]],
    "whyNot": [START, "31", [], 8, 5],
}
"""What every function is asked; options come last."""
WITH_WORDS = ("find", "notation", "whyNot")


def test_options_that_are_none(ask: Ask) -> None:
    """A lost game of three checkers was told as a single one: every function refuses what it would not look at."""
    wrong: list[Any] = [
        3,
        0,
        "",
        "checkers",
        True,
        None,
        [],
        [3],
        {"checker": 3},
        {"checkers": 15, "words_": {}},
        {"": 1},
    ]
    wrong += [{"checkers": value} for value in (None, "15", 0, 16, 1.5, [15], {}, True)]
    words: list[Any] = [5, 0, "", None, [], {"pint": "x"}, {"bar": 5}, {"bar": None}, {"bar": ["x"]}, {"toString": "x"}]
    words += [{"numbers": "x"}, {"numbers": [1]}, {"numbers": {}}, {"bar": "x" * 10**6, "x" * 10**6: "y"}]
    calls = [[name, *arguments, value] for name, arguments in CALLS.items() for value in wrong]
    calls += [[name, *arguments, {"words": {}}] for name, arguments in CALLS.items() if name not in WITH_WORDS]
    calls += [[name, *CALLS[name], {"words": value}] for name in WITH_WORDS for value in words]
    for call, answer in zip(calls, ask(calls), strict=True):
        assert isinstance(answer, dict), call
        assert "error" in answer, call
        wording.check(answer["error"], longest=120)
    fitting = [{}, {"checkers": 15}]
    assert all(
        "error" not in str(answer) for answer in ask([[*call, more] for call in named_calls() for more in fitting])
    )


def named_calls() -> list[list[Any]]:
    return [[name, *arguments] for name, arguments in CALLS.items()]


def test_options_of_other_kinds(tmp_path: Path) -> None:
    """What JSON does not have: undefined is what it is elsewhere, nothing; the rest is refused."""
    program = """
        const { outcome, find, WORDS } = await import("./rules.mjs");
        const told = (act) => { try { return act(); } catch (error) { return error.name; } };
        const ask = (options) => told(() => outcome(start, options));
        const words = (words) => told(() => find(start, "31", "8/5 6/5", { words }).text);
        const lone = Object.assign(Object.create(null), { checkers: 15 });
        console.log(...[undefined, { checkers: undefined }, lone, Object.freeze({ checkers: 15 })].map(ask));
        console.log(...[() => 3, new Map([["checkers", 3]]), new Date(), Symbol("3"), 3n, new Int8Array(3)].map(ask));
        console.log(...[undefined, WORDS, { ...WORDS }, { bar: () => "x" }].map(words));
        console.log(...[() => 3, new Map(), Symbol("3"), { bar: Symbol("3") }, { numbers: [Symbol("3")] }].map(words));
    """
    lines = ["null " * 4, "GammonError " * 6, "8/5 6/5 " * 4, "GammonError " * 5]
    assert node(program, tmp_path) == "".join(f"{line.strip()}\n" for line in lines)


def node(program: str, folder: Path, *options: str) -> str:
    """What a program prints that has the script in its folder as `rules.mjs`, and the board of the start."""
    if not (command := shutil.which("node")):
        pytest.skip("Node is not installed")
    (folder / "rules.mjs").write_text(draw.rules_js(), encoding="utf-8")
    (folder / "program.mjs").write_text(f"const start = {START};\n{program}", encoding="utf-8")
    done = processes.run(command, *options, "program.mjs", cwd=folder, megabytes=1 << 20)
    return str(done.stdout)


def test_importing_compiles_nothing(tmp_path: Path) -> None:
    """And where code may not be made, the first call says so, each time."""
    program = """
        globalThis.WebAssembly = { Module: class { constructor() { throw new Error("forbidden"); } } };
        const { pips, GammonError } = await import("./rules.mjs");
        for (const _ of [1, 2]) {
          try { pips(start); } catch (error) { console.log(error instanceof GammonError, error.name, error.message); }
        }
    """
    sentence = "WebAssembly cannot be used here: a Content-Security-Policy must allow 'wasm-unsafe-eval'"
    assert node(program, tmp_path) == f"true GammonError {sentence}\n" * 2


def test_two_copies_and_typed_arrays(tmp_path: Path) -> None:
    program = """
        const [one, other] = [await import("./rules.mjs"), await import("./rules.mjs?again")];
        one.pips(start);
        const plays = other.legalPlays(Int8Array.from(start), new Uint8Array([3, 1]));
        console.log(one.legalPlays !== other.legalPlays, plays.length, one.legalPlays(start, "31").length);
    """
    assert node(program, tmp_path) == "true 16 16\n"


def test_memory_does_not_grow(tmp_path: Path) -> None:
    program = """
        const { legalPlays, turn } = await import("./rules.mjs");
        const used = () => { gc(); return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers; };
        const many = (count) => { for (let at = 0; at < count; at += 1) legalPlays(start, [1 + (at % 6), 2]); };
        many(10_000);
        const before = used();
        many(COUNT);
        console.log(used() - before < 2 ** 20);
    """
    assert node(program.replace("COUNT", "30_000"), tmp_path, "--expose-gc") == "true\n"


def test_a_worker_that_is_ended_in_mid_call(tmp_path: Path) -> None:
    program = """
        import { Worker } from "node:worker_threads";
        import { perft } from "./rules.mjs";
        const text = `import("${new URL("rules.mjs", import.meta.url)}").then(({ perft }) => {
          require("node:worker_threads").parentPort.postMessage(perft([${start}], 1));
          perft([${start}], 6);
        })`;
        const worker = new Worker(text, { eval: true });
        worker.on("message", async (counts) => {
          await new Promise((wait) => setTimeout(wait, 50));
          console.log(counts, await worker.terminate(), perft(start, 2));
        });
    """
    assert node(program, tmp_path) == "[ 447 ] 1 [ 447, 202782 ]\n"


def test_it_is_small() -> None:
    assert len(gzip.compress(draw.rules_js().encode(), 9)) <= 15_500
