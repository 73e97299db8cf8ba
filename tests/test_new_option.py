"""A new option of `Rules`, until the packages are taught it: each refuses it, or names it, and none ignores it.

And what has a name in several languages, or in a schema: each of these places knows all names.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable
from json import loads
from pathlib import Path
from typing import get_args, get_type_hints

import attrs
import jsonschema
import pytest

import gammonrules
import node
import processes
from gammonrules import GammonError, MatchState, Rules, draw, json
from gammonrules.board import START_NAMES
from gammonrules.match import Clock

PACKAGE = Path(gammonrules.__file__).parent
ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "development" / "rules.md"
IN_C = {"start"}
"""The options that the match in C does not have: the host knows the boards."""
TWINS: dict[str, set[str]] = {
    "web/src/match/options.ts": set(),
    "web/src/match/table.ts": IN_C,
    "web/src/match/types.ts": set(),
    "c/gammonrules.h": IN_C,
    "json/schema.json": set(),
    "conformance/schema.json": set(),
    "conformance/languages/c/json.h": IN_C,
    "conformance/languages/go/json.go": set(),
    "conformance/languages/python/answers.py": set(),
    "conformance/languages/rust/header.rs": IN_C,
}
"""The files that know every option by name, and those that they need not know."""
LANGUAGES = ["c/answers.c", "go/rules.go", "python/rules.py", "rust/rules.rs"]
NAMES: dict[str, tuple[Iterable[str], list[str]]] = {
    "starts": (
        {*START_NAMES} - {"standard"},  # which some leave out, as what is usual
        [
            *("json/schema.json", "records/transcript/header_tags.py"),
            *("web/src/match/options.ts", "web/src/match/types.ts", "web/src/game/mat.ts"),
            *("conformance/schema.json", "conformance/plays_cases.py", "yardstick/schema.json"),
            *(f"conformance/languages/{file}" for file in LANGUAGES),
            *("conformance/programs/with_rules_js.mjs", "docs/reference/rules.md", "docs/reference/conformance.md"),
        ],
    ),
    "themes": (
        draw.svg.THEMES,
        [
            *("web/src/pictures.json", "web/src/board/types.ts"),
            *(f"docs/reference/{page}.md" for page in ("draw", "board", "command/show")),
        ],
    ),
    "timings": (
        get_args(get_type_hints(Clock)["timing"]),
        ["json/schema.json", "_hypothesis.py", "docs/reference/clocks.md"],
    ),
}
"""Names of the library, and the files that know all of them."""
READ = """
import { createInterface } from "node:readline";
const { readState } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  try { console.log(JSON.stringify(readState(JSON.parse(line)))); } catch ({ name, message }) {
    console.log(JSON.stringify([name, message]));
  }
}
"""
LAST_OPTION = '    start: StartName = "standard"\n'
PLAYERS = """
from gammonrules import Action, Event, arena

def first(state):
    if state.dice:
        return Event("play", argument=state.legal_plays[0])
    return Action.TAKE if state.pending_double else Action.ROLL

def games(number, **options):
    return arena.play([first, first], games=number, save="games", jobs=1, **options)
"""
PROGRAM = (
    PLAYERS
    + """
import attrs
import numpy as np
from gammonrules import Event, GammonError, MatchState, Player, Position, Rules
from gammonrules import batch, bearoff, environments, identifiers, json, records
from gammonrules.arena._losses import losses_in
from gammonrules.engine import _bgsage, _gnubg, _ubgi

def refuses(function, *arguments, **options):
    try:
        function(*arguments, **options)
    except GammonError as error:
        return bool(str(error))

new = Rules(scratch=True)
start = MatchState.new(3, rules=new)
state = start.opening_roll(3, 1)
match = records.Match.from_events(("", ""), start, [Event("opening_roll", argument=(3, 1))])

for form in ("xgid", "gnubg_id", "ogid", "fibs_board", "bot_line", "gnubg_line"):
    assert identifiers.lost(state, form) == ("rules.scratch",), form
    assert identifiers.lost(state, form, new) == (), form
assert refuses(identifiers.write, state, "xgid", strict=True)

for form in ("mat", "sgf"):
    assert refuses(records.dumps, match, form), form
assert json.loads(json.dumps(state)) == state
assert '"scratch":true' in json.dumps(state) and '"scratch":true' in records.dumps(match, "json")

for driver in (_bgsage.Bgsage(1), _gnubg.Gnubg(0, 0, None, None), _ubgi.Ubgi(["bot"], None, {}, None)):
    assert driver.why_not(state) == "the option scratch", driver

race = Position.of(mine={6: 1, 5: 1, "off": 13}, theirs={6: 1, 5: 1, "off": 13})
assert bearoff.solve(MatchState(race, Player.WHITE))
assert refuses(bearoff.solve, MatchState(race, Player.WHITE, rules=new))

def decisions(rules):
    race_start = MatchState(race, Player.WHITE, rules=rules)
    events = [Event("double"), Event("take")] if rules.cube else []
    events += [Event("roll", argument=(2, 1)), Event("play", argument="6/3")]
    losses = losses_in([records.Match.from_events(("", ""), race_start, events)], bearoff.two_sided(checkers=2))
    return losses[0].decisions + losses[1].decisions

assert decisions(Rules()) == 3 and decisions(new) == 0
assert decisions(Rules(cube=False)) == 1 and decisions(attrs.evolve(new, cube=False)) == 0

assert refuses(batch.Tables.from_states, [state])
assert refuses(batch.Tables.new, 2, 3, rules=new)
assert refuses(attrs.evolve, batch.Tables.new(2, 3), rules=new)
assert refuses(batch.play_matches, 2, np.random.default_rng(1), lambda turns, rng: turns.random_rows(), None, rules=new)

assert games(4).pairings[0].games == 4 and refuses(games, 4, rules=new)  # there are two from before the option

environment = environments.BackgammonEnv(rules=new)
assert environment.reset()[1]["state"].rules.scratch
"""
)


@pytest.mark.skipif(not (PACKAGE / "rules.py").exists(), reason="the package is not in files")
def test_no_package_ignores_a_new_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`rules.py` of a copy of the package has one option more."""
    for library in ("gymnasium", "cattrs"):
        pytest.importorskip(library)
    copy = shutil.copytree(PACKAGE, tmp_path / "gammonrules")
    monkeypatch.chdir(tmp_path)
    exec(PLAYERS + "games(2)", {"__name__": "__main__"})
    rules = (copy / "rules.py").read_text(encoding="utf-8")
    assert rules.count(LAST_OPTION) == 1
    (copy / "rules.py").write_text(
        rules.replace(LAST_OPTION, f"{LAST_OPTION}    scratch: bool = False\n"), encoding="utf-8"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    processes.run(sys.executable, "-c", PROGRAM, env=environment, cwd=tmp_path)


@pytest.mark.parametrize("name", TWINS)
def test_the_twins_have_every_option(name: str) -> None:
    """Here a new option fails until its twin has it; the page for developers names each of them."""
    assert missing_in(name, attrs.fields_dict(Rules)) <= TWINS[name]
    assert re.search(rf"`{name}[`:]", PAGE.read_text(encoding="utf-8"))


def missing_in(name: str, words: Iterable[str]) -> set[str]:
    """The words that do not stand in a file of the package, or of the repository."""
    path = PACKAGE / name
    text = (path if path.exists() else ROOT / name).read_text(encoding="utf-8")
    return {word for word in words if not re.search(rf"\b{word}\b", text)}


@pytest.mark.parametrize("kind", NAMES)
def test_every_name_stands_in_its_twins(kind: str) -> None:
    """Here a new start, a theme or a control of time fails until its twins have it."""
    words, files = NAMES[kind]
    missing = {file: missing_in(file, words) for file in files}
    assert {file: words for file, words in missing.items() if words} == {}


def test_who_does_not_know_an_option_refuses_it(tmp_path: Path) -> None:
    """So does a program of today, for a state that has an option of tomorrow."""
    document = json.to_data(MatchState.new(3))
    document["rules"]["scratch"] = False
    no_such_field = r"\$.rules.scratch: there is no such field"
    with pytest.raises(GammonError, match=no_such_field):
        json.from_data(document)
    script = tmp_path / "match.mjs"
    script.write_text(draw.match_js(), encoding="utf-8")
    ((kind, sentence),) = node.answers(READ, script, [document], tmp_path)
    assert kind == "GammonError"
    assert sentence == "$.rules.scratch: unknown field"
    schema = loads((ROOT / "conformance" / "schema.json").read_text(encoding="utf-8"))
    rules = jsonschema.Draft202012Validator({"$defs": schema["$defs"], "$ref": "#/$defs/rules"})
    assert not rules.is_valid(document["rules"])
    del document["rules"]["scratch"]
    assert rules.is_valid(document["rules"])
