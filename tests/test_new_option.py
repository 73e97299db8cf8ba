"""What has a name in several languages, or in a schema: each of these places knows all names, and all options."""

from __future__ import annotations

import re
from collections.abc import Iterable
from json import loads
from pathlib import Path
from typing import get_args, get_type_hints

import attrs
import jsonschema
import pytest

import gammonrules
import node
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
            *("web/src/match/options.ts", "web/src/match/types.ts", "web/src/history/mat.ts"),
            *("conformance/schema.json", "conformance/plays_cases.py", "bot_benchmark/schema.json"),
            *(f"conformance/languages/{file}" for file in LANGUAGES),
            *("conformance/programs/with_rules_js.mjs", "docs/reference/rules.md", "docs/reference/conformance.md"),
        ],
    ),
    "themes": (
        draw.THEMES,
        [
            *("web/src/pictures.json", "web/src/board/types.ts"),
            *(f"docs/reference/{page}.md" for page in ("draw", "board", "command/show")),
        ],
    ),
    "timings": (get_args(get_type_hints(Clock)["timing"]), ["json/schema.json", "docs/reference/clocks.md"]),
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
