"""`xgid.js` writes and reads XGIDs as the library does: the same states, warnings and refusals."""

from __future__ import annotations

import gzip
import json as plain_json
import random
import warnings
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import match_tries
import pytest
from hypothesis import given, settings

import node
import random_records
from gammonrules import GammonError, IdentifierError, MatchState, draw, identifiers, json
from gammonrules.rules import Rules
from match_setups import SETUPS

DATA = Path(__file__).parents[1] / "data"
PROGRAM = """
import { createInterface } from "node:readline";
const { xgid, fromXgid } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const [call, ...args] = JSON.parse(line);
  let answer;
  try {
    answer = call === "xgid" ? xgid(...args) : fromXgid(...args);
  } catch (error) {
    if (error.name !== "GammonError" || error.cause) throw error;
    answer = { error: error.message, problems: error.problems?.map(({ path, reason }) => [path, reason]) };
  }
  console.log(JSON.stringify(answer));
}
"""
MAX_SCORE = 10**9
"""Points that an XGID can hold."""
AROUND = "XGID={}", "{}", "`XGID={}`, ", "**XGID:** `{}`.", "xgid = {} and more", "\u201cXGID={}\u201d", "(XGID={})"
AROUND += "GNU Backgammon XGID={}", "OGID={}", "Position ID: {}", "XGID={}:", "XGID={}:1:x:", "https://x.org/?XGID={}"
AROUND += "XGID", "\t{}\n", "<div data-a='b'>XGID={}</div>", "[code]{}[/code]", "[xgid]XGID={}[/xgid]", "<XGID={}>"
AROUND += "Black to play, XGID={}, what now?", "a/?xgid={}&page=2", "<b>XGID:</b> <code>{}</code>", "[XGID: {}]"
AROUND += '{{"xgid": "{}", "id": 3}}', "[here](https://x.org/?a=b+c&xgid={}#top)", "<a href='?xgid={}'>here</a>"
AROUND += "{} {} ", "{} or XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10?", "<p></p>{}<br/>", "<p>", "[quote=Ann]"
AROUND += "| XGID | {} |", "Position_ID: {}", "GNU_BG_ID={}", "{}: 5 points to go", "{} : 5 : 10", "<abcdefghijkl>{}"
AROUND += "[abcdefghijkl] XGID={}", "[abcdefghij]{}[/abcdefghij]", "Board: {}"
AROUND += "See OGID: {}", "XGID={} & <a-b c>", "[url=https://x.org/{}]XGID={}[/url]", "{}\u2014so"
FIELDS = "", "-1", "0", "1", "2", "3", "11", "24", "25", "1" * 13, "B", "R", "D"
OPTIONS: list[dict[str, Any]] = [
    *({}, {}, {"doubled_turn": "responder"}, {"checkers": 3}, {"checkers": 14}, {"rules": Rules(beavers=2)}),
    *({"rules": Rules(start="hypergammon")}, {"rules": Rules(cube=False, scoring="pips")}, {"checkers": 16}),
    *({"doubled_turn": "x"}, {"rules": Rules(gammons=False, backgammons=False, crawford=False)}),
]


def known() -> list[str]:
    """The XGIDs of the data."""
    tables = (DATA / "xgids.tsv").read_text(encoding="utf-8").splitlines()[1:]
    texts = [line.split("\t")[0] for line in tables]
    refused = (DATA / "ids-refused.jsonl").read_text(encoding="utf-8").splitlines()
    return texts + [plain_json.loads(line)["xgid"] or "" for line in refused]


def states(rng: random.Random, count: int) -> list[MatchState]:
    """Of random matches under all rules, and of fields that happen to fit."""
    drawn: list[MatchState] = []
    while len(drawn) < count:
        for game in random_records.log(rng.randrange(10**9)).games:
            played = [*game.states()]
            drawn += rng.sample(played, min(10, len(played)))

    @settings(max_examples=count, database=None, derandomize=True)
    @given(SETUPS)
    def draw_setup(setup: Any) -> None:
        with suppress(GammonError):
            drawn.append(MatchState(**vars(setup)))

    draw_setup()
    # a field for both, which matches by chance seldom have
    drawn += [MatchState.new(None, rules=Rules(jacoby=way > 2, beavers=way % 3)) for way in range(6)]
    return [state for state in drawn if max(state.score) <= MAX_SCORE]


def damaged(rng: random.Random, text: str) -> str:
    """The same with something else in one or two places."""
    signs = "-aAoOpP:0123456789DBR \u2013\u2014=x\u00e9\U0001f3b2'"
    for _ in range(rng.choice((0, 1, 1, 2))):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(("", rng.choice(signs), rng.choice(signs))) + text[at + rng.randrange(2) :]
    fields = text.split(":")
    if rng.random() < 0.4:
        fields[rng.randrange(len(fields))] = rng.choice(FIELDS)
    return ":".join(fields).replace("--", rng.choice(("--", "--", "--", "\u2013", "\u2014")))


def coded(rng: random.Random, text: str) -> str:
    """The same as addresses and sources of pages have it, or damaged once more."""
    entities = {"=": "&#61;", ":": "&colon;", "<": "&lt;", "-": "&#x2d;", "\u2014": "&mdash;", "a": "&#0097;"}
    ways: list[Callable[[], str]] = [
        lambda: quote(text),
        lambda: quote(quote(text)),
        lambda: escape(text),
        lambda: "".join(entities.get(sign, sign) for sign in text),
        lambda: text.replace(":", " : "),
        lambda: text.replace(":", rng.choice(("%3a", "%3", "&#58", "&#x3A;", "&amp;#58;", "&amp;", "%25", ": ")), 3),
        lambda: damaged(rng, text),
    ]
    return rng.choice(ways)()


def read(text: Any, options: dict[str, Any]) -> Any:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            state = identifiers.read(text, form="xgid", **options)
        except GammonError as error:
            return error
    return {"state": json.to_data(state), "warnings": [str(warning.message) for warning in told]}


def agree(wanted: Any, answer: Any) -> bool:
    """What a text says is the same, and so is why it is no XGID; of a state that is impossible only that it is."""
    if isinstance(wanted, IdentifierError) and isinstance(answer, dict):
        return answer == {"error": str(wanted)}
    if isinstance(wanted, GammonError):
        return "error" in answer and bool(answer["problems"])
    return bool(answer == wanted)


def call_of(text: Any, options: dict[str, Any]) -> list[Any]:
    names = {"doubled_turn": "doubledTurn"}
    return ["fromXgid", text, {names.get(name, name): match_tries.form(value) for name, value in options.items()}]


@pytest.fixture(scope="session")
def xgid_js(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("xgid")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "match.js").write_text(draw.match_js(), encoding="utf-8")
    (folder / "xgid.js").write_text(draw.xgid_js(module=True), encoding="utf-8")
    return folder / "xgid.js"


@pytest.mark.parametrize("count", [30, pytest.param(10_000, marks=pytest.mark.long)])
def test_written_and_read(xgid_js: Path, count: int) -> None:
    rng = random.Random(count)
    written = states(rng, count)
    calls: list[Any] = [["xgid", json.to_data(state)] for state in written]
    expected: list[Any] = [state.xgid for state in written]
    of_data = known()
    texts = [*expected, *rng.sample(of_data, min(count, len(of_data)))]
    for text in texts:
        around = rng.choice(AROUND) if rng.random() < 0.5 else "{}"
        options = rng.choice(OPTIONS) if rng.random() < 0.3 else {}
        is_damaged = rng.random() < 0.5
        bare = text.removeprefix("XGID=")
        first = damaged(rng, bare) if is_damaged else text
        another = rng.choice((bare, text, damaged(rng, bare)))
        tried = around.format(first, another)
        if rng.random() < 0.2:
            tried = coded(rng, tried)
        calls.append(call_of(tried, options))
        expected.append(read(tried, options))
    answers = node.answers(PROGRAM, xgid_js, calls, xgid_js.parent)
    for call, wanted, answer in zip(calls, expected, answers, strict=True):
        assert agree(wanted, answer), (call, wanted, answer)


def test_texts_that_are_none(xgid_js: Path) -> None:
    texts = ["", " ", ":" * 9_999, "\ud800:", "x" * 10_001]
    texts += ["\U0001f3b2" * 10_000, "\U0001f3b2" * 10_001]
    texts += ["&#9999;&#x2fff;&#8203;&amp;amp;lt;%%25252541", "<a>" * 3_333, "[x=" * 3_333, "XGID=" * 1_999 + "<a b>"]
    texts += ["-" * 26 + ":0" * 9, "\u2013" * 26 + ":", "XGID=" * 2_000, "~" * 10_000, "XGID=)" + known()[0][6:] + ")."]
    calls = [call_of(text, {}) for text in texts]
    answers = node.answers(PROGRAM, xgid_js, calls, xgid_js.parent)
    for call, answer in zip(calls, answers, strict=True):
        assert agree(read(call[1], {}), answer), (call, answer)


def test_every_sign_of_the_board_and_every_form_of_a_number(xgid_js: Path) -> None:
    """The bars hold checkers of one side, and a number is written in one way."""
    board, *fields = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10".split(":")
    texts: list[str] = []
    for place in range(26):
        boards = [board[:place] + sign + board[place + 1 :] for sign in "-aAoOpP@`0\u00e9"]
        texts += [":".join(["XGID=" + other, *fields]) for other in boards]
    for at in range(len(fields)):
        for form in (
            "01",
            "+1",
            "-0",
            " 1",
            "1 ",
            "1.0",
            "1e0",
            "0x1",
            "\uff11",
            "\u0661",
            "1_0",
            "true",
            "null",
            "[1]",
            "1" * 13,
        ):
            texts.append(":".join(["XGID=" + board, *fields[:at], form, *fields[at + 1 :]]))
    calls = [call_of(text, {}) for text in texts]
    answers = node.answers(PROGRAM, xgid_js, calls, xgid_js.parent)
    for text, answer in zip(texts, answers, strict=True):
        assert agree(read(text, {}), answer), (text, answer)


def test_every_way_around_it(xgid_js: Path) -> None:
    """Also around one that ends too early, which takes no number of the words after it."""
    whole = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
    texts: list[str] = []
    for text in (whole, whole.removesuffix(":10"), whole.removesuffix(":7:10"), whole.replace(":", ": ")):
        texts += [around.format(text, text) for around in AROUND]
    short = f"XGID={whole.removesuffix(':7:10')}"
    texts += [f"{short}:7: 5 points to go", f"{short}:7 : 5", f"{short} : 5 : 10", f"{short}:7 :5"]
    answers = node.answers(PROGRAM, xgid_js, [call_of(text, {}) for text in texts], xgid_js.parent)
    for text, answer in zip(texts, answers, strict=True):
        assert agree(read(text, {}), answer), (text, answer)
    assert all("error" in answer for answer in answers[-4:])


def test_it_is_small() -> None:
    sizes = [len(gzip.compress(draw.xgid_js(module=module).encode(), 9)) for module in (False, True)]
    assert max(sizes) <= 4_000
