"""A new name, or a new option: the places that list names by hand, and programs that do not know an option."""

from __future__ import annotations

import re
from collections.abc import Iterable
from json import loads
from pathlib import Path
from typing import get_args, get_type_hints

import jsonschema
import pytest

import gammonrules
import node
from gammonrules import GammonError, MatchState, draw, json
from gammonrules.board import START_NAMES
from gammonrules.match import Clock

PACKAGE = Path(gammonrules.__file__).parent
ROOT = Path(__file__).parents[1]
NAMES: dict[str, tuple[Iterable[str], list[str]]] = {
    "starts": (
        {*START_NAMES} - {"standard"},  # which some leave out, as what is usual
        ["records/transcript/header_tags.py", "conformance/plays_cases.py"],
    ),
    "timings": (get_args(get_type_hints(Clock)["timing"]), ["_hypothesis.py"]),
}
"""Names of the library, and the files that list them by hand."""
READ = """
import { createInterface } from "node:readline";
const { readState } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  try { console.log(JSON.stringify(readState(JSON.parse(line)))); } catch ({ name, message }) {
    console.log(JSON.stringify([name, message]));
  }
}
"""


def missing_in(name: str, words: Iterable[str]) -> set[str]:
    """The words that do not stand in a file of the package, or of the repository."""
    path = PACKAGE / name
    text = (path if path.exists() else ROOT / name).read_text(encoding="utf-8")
    return {word for word in words if not re.search(rf"\b{word}\b", text)}


@pytest.mark.parametrize("kind", NAMES)
def test_every_list_has_all_names(kind: str) -> None:
    """Here a new start or a control of time fails until these lists have it."""
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
