"""The templates of `examples/templates`: the same bot in five languages, without rules until they are filled in."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from test_readers import GAME, IN_C, RIGHT

import bots
import processes
from gammonrules import Action, Event, MatchState, Phase, Position, arena, draw
from gammonrules._json_protocol.flat_states import boards_after, flat
from gammonrules.arena._benchmark_decisions import read_decisions
from gammonrules.arena._programs import asked_program
from gammonrules.conformance import answer
from gammonrules.conformance.asking import interviewed
from gammonrules.conformance.judging import faults
from gammonrules.conformance.questions import core
from node import NODE_NEEDS

TEMPLATES = Path(__file__).parents[2] / "examples" / "templates"
DATA = Path(__file__).parents[1] / "data" / "benchmark.jsonl.gz"


@attrs.frozen
class Language:
    """How a template is run, and how rules are filled in. Commands are done in its folder."""

    run: Sequence[str]
    """The folder is FOLDER."""
    filled: Mapping[str, str]
    """What stands in the place of texts of the template."""
    rules: Mapping[str, str] = attrs.field(factory=dict)
    """Further files, with the library's rules."""
    build: Sequence[str] = ()
    build_with_rules: Sequence[str] = ()


LIBRARY_IN_C = {"rules.c": IN_C.substitute(game=GAME.as_posix())}
LANGUAGES = {
    "py": Language(
        run=[sys.executable, "FOLDER/bot.py"],
        filled={
            "return [points]  # your rules": "from gammonrules.conformance import answer\n"
            '    return answer({"id": 1, "ask": "plays", "points": points, "dice": dice})["points"]'
        },
    ),
    "mjs": Language(
        run=["node", "FOLDER/bot.mjs"],
        filled={
            'from "node:readline";': 'from "node:readline";\nimport { legalBoards as rules } from "./rules.mjs";',
            "return [points]; // your rules": "return rules(points, dice);",
        },
        rules={"rules.mjs": RIGHT["mjs"], "library.mjs": draw.rules_js()},
    ),
    "c": Language(
        run=["FOLDER/bot"],
        build=["cc -std=c99 -Wall -Wextra -Werror -o bot bot.c"],
        filled={
            "(void)dice;": "extern int boards_after(const signed char *, int, int, signed char *);\n"
            "static signed char before[PLACES], after[26 * 3060 + 32];\n"
            "for (int i = 0; i < PLACES; i++) before[i] = (signed char)points[i];\n"
            "const int count = boards_after(before, dice[0], dice[1], after);\n"
            "for (int i = 0; i < count; i++) for (int point = 0; point < PLACES; point++)\n"
            "boards[i][25 - point] = -after[PLACES * i + point];",
            "memcpy(boards[0], points, sizeof boards[0]); /* your rules */": "",
            "return 1;\n}\n\nstatic int blots": "return count;\n}\n\nstatic int blots",
        },
        rules=LIBRARY_IN_C,
        build_with_rules=["cc -O2 -c rules.c", "cc -o bot bot.c rules.o"],
    ),
    "go": Language(
        run=["FOLDER/bot"],
        build=["go vet bot.go", "go build bot.go"],
        filled={
            "return []Board{points} // your rules": "boards := []Board{}\n"
            "for _, board := range LegalBoards(points, [2]int{dice[0], dice[1]}) { boards = append(boards, board) }\n"
            "return boards"
        },
        rules=LIBRARY_IN_C | {"rules.go": RIGHT["go"].replace("package rules", "package main")},
        build_with_rules=["go mod init bot", "go build ."],
    ),
    "rs": Language(
        run=["FOLDER/bot"],
        build=["rustc --edition 2021 -D warnings bot.rs"],
        filled={
            "use std::io": "mod rules;\nuse std::io",
            "vec![*points] // your rules": "rules::legal_boards(points, &_dice).into_iter()"
            ".map(|board| board.try_into().unwrap()).collect()",
        },
        rules=LIBRARY_IN_C | {"rules.rs": RIGHT["rs"]},
        build_with_rules=["cc -O2 -c rules.c", "rustc --edition 2021 -C link-arg=rules.o bot.rs"],
    ),
}
KINDS = ["py", "mjs", "c", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("go", "rs"))]


def command(kind: str, folder: Path, *, fill: bool = False) -> list[str]:
    """That which runs a template, once it is built; perhaps with rules filled in, and then it wants no plays."""
    language = LANGUAGES[kind]
    build = language.build_with_rules if fill else language.build
    run = [word.replace("FOLDER", str(folder)) for word in language.run]
    for tool in {line.split()[0] for line in build} | {run[0]} - {f"{folder}/bot"}:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    text = (TEMPLATES / f"bot.{kind}").read_text(encoding="utf-8")
    if fill:
        assert text.count("wants") == 2
        before, _, after = text.rpartition("wants")
        for old, new in language.filled.items():
            assert old in before
            before = before.replace(old, new)
        text = f"{before}knows{after}"
        for name, content in language.rules.items():
            (folder / name).write_text(content, encoding="utf-8")
    (folder / f"bot.{kind}").write_text(text, encoding="utf-8")
    for line in build:
        processes.run(*line.split(), cwd=folder, megabytes=NODE_NEEDS)
    return run


@pytest.fixture(scope="module", params=KINDS)
def template(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """That which runs a template as it is."""
    return command(request.param, tmp_path_factory.mktemp(request.param))


def few_blots(state: MatchState) -> Event | Action:
    """What each template decides."""
    if state.phase is Phase.RESIGNED:  # of which programs are not asked
        return Action.DECLINE
    if state.dice:
        best = min(state.legal_plays, key=lambda play: play.position.points.count(-1))
        return Event(Action.PLAY, argument=best)
    mine, theirs = state.position.pip_count, state.position.opponent_pip_count
    if state.offer:
        return Action.DROP if mine < 0.8 * theirs else Action.TAKE
    return Action.DOUBLE if mine < 0.9 * theirs and Action.DOUBLE in state.legal_actions else Action.ROLL


@cache
def expected() -> tuple[arena.BenchAnswer, ...]:
    """What each template answers in the benchmark."""
    return arena.bench(few_blots).answers


def test_a_template_decides(template: list[str]) -> None:
    """It answers all questions of the benchmark, and plays matches, also against who resigns and doubles at random."""
    results = arena.bench(template)
    assert (results.answers, results.bot) == (expected(), "my bot")
    assert {each.problem for each in results.answers} == {""}
    assert {each.action for each in results.answers} > {"roll", "double", "take", "drop"}
    player = arena.EnginePlayer(partial(asked_program, template))
    with_itself, with_wild = arena.play([player, few_blots, bots.wild()], games=4, length=3, workers=1).pairings[:2]
    assert [sum(pair) for pair in with_itself.values] == [1, 1]
    assert with_wild.games == 4
    assert arena.play([player, few_blots], games=2, start="hypergammon", workers=1).pairings[0].games == 2


def test_a_template_has_no_rules(template: list[str]) -> None:
    """Dances are answered rightly, other plays wrongly; of what it does not answer it says so."""
    dance = Position.of(mine={"bar": 1, 13: 2}, theirs={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2})
    with interviewed(template, 20, ubgi=False) as program:
        assert (program.name, program.version, program.asks) == ("my bot", "0.1", ["plays"])
        assert program.unknown == []
        for number, position in enumerate((dance, Position.start(), dance), 1):
            asked = {"id": number, "ask": "plays", "points": [*position.points], "dice": [3, 1]}
            reply = program.ask(asked)
            assert reply == {"id": number, "points": [asked["points"]]}
            assert bool([*faults(asked, answer(asked), reply)]) is (position != dance)
        unknown = {"id": 9, "ask": "perft", "start": "hypergammon", "depth": 1}
        assert program.ask(unknown) == {"id": 9, "error": "not answered"}


@pytest.mark.parametrize("kind", KINDS)
def test_rules_are_filled_in(kind: str, tmp_path: Path) -> None:
    """Then all plays are right, and the bot needs not be told any."""
    program = command(kind, tmp_path, fill=True)
    with interviewed(program, 20, ubgi=False) as asked:
        cases = [case for case in core() if asked.answers(case.question)][::50]
        assert len(cases) > 100
        for case in cases:
            assert [*faults(case.question, case.right_answer(), asked.ask(case.question))] == []
    problems = {each.problem for each in arena.bench(program, data=DATA).answers}
    assert problems == {""}


# Lines as another program might write them ----------------------------------------------------------------------------

DECOYS: dict[str, Any] = {
    "note": {"points": [7] * 26, "dice": [1, 1], "id": 77, "ask": "hello", "offer": None, "plays": [[0] * 26]},
    "other": {"state": {"points": [7] * 26, "dice": None, "offer": {}}},
    '"': ["points", {"state": {"dice": None}}, '{"id": 78'],
    "\\": '\\"points": [}]',
    "punctuation }],:": "\u201d\U0001f3b2\t",
    "deep": [[[[{"id": [[]]}]]]],
    "nothing": {},
    "fraction": [-0.5e-3, True, None, ""],
}


def with_decoys(question: Any, rng: Random) -> Any:
    """The same question, whose objects have more keys."""
    if not isinstance(question, dict):
        return question
    more = {key: value for key, value in DECOYS.items() if rng.random() < 0.3}
    return more | {key: with_decoys(value, rng) for key, value in question.items()}


def written(value: Any, rng: Random) -> str:
    """A value in JSON, with what its reader need not expect: keys in any order, blanks, escapes."""
    blank = rng.choice(["", "", " ", "\t", "  "])
    if isinstance(value, dict):
        items = [*value.items()]
        rng.shuffle(items)
        inside = ",".join(f"{blank}{escaped(key, rng)}{blank}:{written(each, rng)}" for key, each in items)
        return f"{blank}{{{inside}{blank}}}{blank}"
    if isinstance(value, list):
        return f"{blank}[{','.join(written(each, rng) for each in value)}{blank}]{blank}"
    text = escaped(value, rng) if isinstance(value, str) else json.dumps(value)
    return f"{blank}{text}{blank}"


def escaped(text: str, rng: Random) -> str:
    """A text in JSON, of which any letter may be escaped."""
    if rng.random() < 0.7:
        return json.dumps(text, ensure_ascii=rng.random() < 0.5)
    letters = (
        f"\\u{ord(c):04x}" if c.isalpha() and c.isascii() and rng.random() < 0.5 else json.dumps(c)[1:-1] for c in text
    )
    return f'"{"".join(letters)}"'


def questions() -> Iterator[dict[str, Any]]:
    """Some of each kind that a template answers, with ids of their own."""
    asked: list[dict[str, Any]] = [{"ask": "hello"}, {"ask": "perft", "start": "standard", "depth": 1}]
    decisions = read_decisions(DATA).positions
    for state in (question.state for kind in decisions.values() for position in kind for question in position):
        told: dict[str, Any] = {"state": flat(state)}
        if state.dice:
            told["plays"] = boards_after(state.legal_plays)
            asked.append({"ask": "plays", "points": [*state.position.points], "dice": [*state.dice]})
        asked.append({"ask": "decide", **told})
    for number, question in enumerate(asked, 1):
        yield {"id": number, **question}


def test_a_template_reads_any_line(template: list[str], tmp_path: Path) -> None:
    """However a question is written, its answer is the same."""
    rng = Random(82)
    plain = [json.dumps(question) for question in questions()]
    hostile = [written(with_decoys(question, rng), rng) for question in questions()]
    hostile[0] = hostile[0].replace("{", '{"long": "' + "[" * 300_000 + '",', 1)
    answers, answers_to_hostile = (
        said(template, tmp_path / "lines", end.join([*lines, ""])) for lines, end in ((plain, "\n"), (hostile, "\r\n"))
    )
    assert len(answers) == len(plain) > 20
    assert answers_to_hostile == answers
    assert set().union(*answers) == {*"id name version asks wants error do points".split()}


def said(program: list[str], lines: Path, text: str) -> list[Any]:
    """The answers of a program to these lines."""
    lines.write_text(text, encoding="utf-8", newline="")
    with lines.open("rb") as questions_of_lines:
        done = processes.run(*program, stdin=questions_of_lines, megabytes=NODE_NEEDS)
    return [json.loads(line) for line in done.stdout.splitlines()]
