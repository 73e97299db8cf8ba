"""A new name, or a new option: the places that list names by hand, and programs that do not know an option."""

from __future__ import annotations

import re
from json import loads
from pathlib import Path

import jsonschema
import pytest

import gammonrules
import node
from gammonrules import GammonError, MatchState, draw, json
from gammonrules.board import START_NAMES

PACKAGE = Path(gammonrules.__file__).parent
ROOT = Path(__file__).parents[1]
LISTS_OF_STARTS = ("records/transcript/header_tags.py", "conformance/plays_cases.py")
"""The files that list the named starts by hand, without the usual one."""
READ = """
import { createInterface } from "node:readline";
const { readState } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  try { console.log(JSON.stringify(readState(JSON.parse(line)))); } catch ({ name, message }) {
    console.log(JSON.stringify([name, message]));
  }
}
"""


@pytest.mark.parametrize("name", LISTS_OF_STARTS)
def test_every_list_has_all_starts(name: str) -> None:
    path = PACKAGE / name
    text = (path if path.exists() else ROOT / name).read_text(encoding="utf-8")
    assert {start for start in START_NAMES if not re.search(rf"\b{start}\b", text)} <= {"standard"}


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
