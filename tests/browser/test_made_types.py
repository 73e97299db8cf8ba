"""TypeScript that others make of `json.schema(kind)`, compiled and run with documents of every class; and OpenAPI."""

from __future__ import annotations

import json as python_json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import processes
from gammonrules import Event, MatchState, Player, json
from gammonrules.records import load
from json_schema import DOCUMENTS, KINDS
from node import NODE_NEEDS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "json.md"
DOUBLED = MatchState.new(7).opening_roll(3, 1).play("8/5 6/5").double()
STATES = (MatchState.new(7), MatchState.new(None).opening_roll(3, 1), DOUBLED, DOUBLED.resign("gammon"), DOUBLED.drop())
FIRST_PLAY = STATES[1].legal_plays.find("8/5 6/5")
EVENTS = (
    Event("opening_roll", argument=(3, 1)),
    Event("play", Player.WHITE, "8/5 6/5"),
    Event("play", Player.WHITE, [(8, 5), (6, 5)]),
    Event("play", Player.WHITE, FIRST_PLAY),
    Event("roll", Player.BLACK, "64").at(12.5),
    Event("resign", Player.WHITE, "gammon"),
    Event("take"),
    Event("next_game", argument=Player.WHITE),
)
RECORD = load(ROOT / "examples" / "matches" / "xg-text" / "match1.txt")

USED = """
import type { EventDocument, Move } from "./made/Event.js";
import type { MatchDocument } from "./made/Match.js";
import type { MatchStateDocument, Player } from "./made/MatchState.js";
import { events, record, states } from "./documents.js";

function offered({ offer }: MatchStateDocument): string {
  switch (offer?.type) {
    case "Double": return `${offer.by} ${offer.value}`;
    case "Resignation": return `${offer.by} ${offer.win} ${offer.double?.value ?? 1}`;
    case undefined: return "";
  }
}
function told(event: EventDocument): string {
  switch (event.action) {
    case "opening_roll": case "roll": return event.argument.map((die: number) => die.toFixed()).join("");
    case "play": {
      const play = event.argument;
      if (typeof play === "string") return play;
      const moves: readonly Move[] = Array.isArray(play) ? play : play.moves;
      return moves.map(({ from_point, to_point }) => `${from_point}/${to_point}`).join(" ");
    }
    case "resign": return event.argument;
    case "next_game": return typeof event.argument === "string" ? event.argument : "";
    default: {
      const nothing: null = event.argument;
      return `${event.action} ${nothing}`;
    }
  }
}
const pips = ({ position }: MatchStateDocument): number =>
  position.points.reduce((sum: number, count, point) => sum + Math.max(count, 0) * point, 0);
const winner = (state: MatchStateDocument): Player | undefined => state.result?.winner;
const resigned = ({ games }: MatchDocument): string[] => games.flatMap((game) => game.events)
  .flatMap((event) => event.type === "Event" && event.action === "resign" ? [event.argument] : []);

console.log(JSON.stringify({
  pips: states.map(pips),
  offered: states.map(offered),
  winners: states.map((state) => winner(state) ?? null),
  told: events.map(told),
  resigned: resigned(record),
}));

export function wrong(state: MatchStateDocument): void {
  // @ts-expect-error nothing may be offered
  state.offer.type;
  // @ts-expect-error there is no such field
  state.position.point;
  // @ts-expect-error a resignation has no value
  if (state.offer?.type === "Resignation") state.offer.value;
  // @ts-expect-error a level is a word
  events.push({ version: 3, type: "Event", action: "resign", by: "white", argument: 2 });
  // @ts-expect-error who takes says no more
  events.push({ version: 3, type: "Event", action: "take", by: "white", argument: "gammon" });
  // @ts-expect-error somebody acts
  events.push({ version: 3, type: "Event", action: "take", by: null, argument: null });
  // @ts-expect-error a game has no event that begins another
  record.games[0]?.events.push({ type: "Event", action: "next_game", by: "white", argument: null });
  // @ts-expect-error a roll has two dice
  events.push({ version: 3, type: "Event", action: "roll", by: "white", argument: [3] });
}
"""


TOLD = {
    "pips": [state.position.pip_count for state in STATES],
    "offered": ["", "", "black 2", "white gammon 2", ""],
    "winners": [None, None, None, None, "black"],
    "told": ["31", "8/5 6/5", "8/5 6/5", "8/5 6/5", "64", "gammon", "take null", "white"],
    "resigned": ["single", "single"],
}
"""What the program prints, by the library."""

CONVERTED = """
import { Convert, type MatchStateDocument, type Player } from "./types.js";

interface Tagged { type: string }
const [documents, broken]: Tagged[][] = JSON.parse(DOCUMENTS);
const convert = Convert as unknown as Record<string, (value: unknown) => unknown>;
const read = (document: Tagged): unknown => convert[`to${document.type}Document`]!(JSON.stringify(document));
const written = (document: Tagged): unknown => {
  const name = document.type[0]!.toLowerCase() + document.type.slice(1);
  return JSON.parse(convert[`${name}DocumentToJson`]!(read(document)) as string);
};
const isRefused = (document: Tagged): boolean => {
  try {
    read(document);
    return false;
  } catch {
    return true;
  }
};
const states = documents!.filter(({ type }) => type === "MatchState").map(read) as MatchStateDocument[];
const onRoll = (state: MatchStateDocument): Player | null => state.on_roll;
console.log(JSON.stringify({
  again: documents!.map(written),
  refused: broken!.filter(isRefused).length,
  on_roll: states.map(onRoll),
}));
"""


def run(*command: object, cwd: Path) -> str:
    return str(processes.run(*command, cwd=cwd, megabytes=NODE_NEEDS).stdout)


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the schema of each class."""
    folder = tmp_path_factory.mktemp("schemas")
    for name, kind in KINDS.items():
        (folder / f"{name}.json").write_text(python_json.dumps(json.schema(kind)), encoding="utf-8")
    return folder


@pytest.fixture
def compiled(tmp_path: Path, node_module: Callable[[str], Path]) -> Callable[[str], str]:
    """Compile this program of the folder, and what it imports, as strictly as there is; what it prints."""
    tsc = node_module("typescript") / "bin" / "tsc"
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")

    def start(program: str) -> str:
        options = "--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --target es2022 --module nodenext"
        run("node", tsc, *options.split(), "--types", "", "--lib", "es2022,dom", f"{program}.ts", cwd=tmp_path)
        return run("node", f"{program}.js", cwd=tmp_path)

    return start


def typed(name: str, kind: str, values: Sequence[json.Value]) -> str:
    """Documents as TypeScript that says which type they have."""
    documents = ",".join(map(json.dumps, values))
    return f"export const {name}: {kind}[] = [{documents}];"


def made_by_json2ts(schemas: Path, folder: Path, package: Path) -> Path:
    run("node", package / "dist" / "src" / "cli.js", "-i", schemas, "-o", folder / "made", cwd=folder)
    return folder / "made"


def test_types_of_json_schema_to_typescript(
    schemas: Path, tmp_path: Path, node_module: Callable[[str], Path], compiled: Callable[[str], str]
) -> None:
    """They take documents of every class, tell apart what differs, and refuse what readers refuse."""
    made = made_by_json2ts(schemas, tmp_path, node_module("json-schema-to-typescript"))
    texts = {path.name.partition(".")[0]: path.read_text(encoding="utf-8") for path in made.iterdir()}
    assert texts.keys() == KINDS.keys()
    assert [name for name, text in texts.items() if re.search(r"\b(unknown|any)\b|\[k: string\]", text)] == []
    imports = [f'import type {{ {name}Document }} from "./made/{name}.js";' for name in KINDS]
    one_of_each = [
        f"export const document{index}: {python_json.loads(line)['type']}Document = {line};"
        for index, line in enumerate(DOCUMENTS)
    ]
    (tmp_path / "documents.ts").write_text(
        "\n".join(
            [
                *imports,
                *one_of_each,
                typed("states", "MatchStateDocument", STATES),
                typed("events", "EventDocument", EVENTS),
                f"export const record: MatchDocument = {json.dumps(RECORD)};",
            ]
        ),
        encoding="utf-8",
    )
    (tmp_path / "used.ts").write_text(USED, encoding="utf-8")
    assert python_json.loads(compiled("used")) == TOLD


def test_the_page_shows_what_is_made(schemas: Path, tmp_path: Path, node_module: Callable[[str], Path]) -> None:
    """Without comments."""
    made = made_by_json2ts(schemas, tmp_path, node_module("json-schema-to-typescript"))
    text = (made / "MatchState.d.ts").read_text(encoding="utf-8")
    plain = re.sub(r"(?m)^ *(/\*\*|\*).*\n", "", text)
    (shown,) = re.findall(r"(?ms)^```ts\n(.*?)^```$", PAGE.read_text(encoding="utf-8"))
    assert [part for part in shown.strip().split("\n\n") if part not in plain] == []


def test_openapi() -> None:
    """All classes together are valid components, and no reference leads nowhere, as it would without `references`."""
    validator = pytest.importorskip("openapi_spec_validator", reason="openapi-spec-validator is not installed")
    validator.validate(openapi("#/components/schemas/"))
    with pytest.raises(Exception, match="Position"):
        validator.validate(openapi("#/$defs/"))


def openapi(references: str) -> dict[str, object]:
    """A description of an API that has documents of all classes."""
    components = dict[str, object]()
    for kind in KINDS.values():
        schema = json.schema(kind, references=references)
        components |= schema.pop("$defs")
        components[schema["title"]] = schema
    contents = {"application/json": {"schema": {"$ref": "#/components/schemas/MatchStateDocument"}}}
    responses = {"200": {"description": "The table.", "content": contents}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "A table", "version": "1"},
        "paths": {"/state": {"get": {"responses": responses}}},
        "components": {"schemas": components},
    }


def test_types_of_quicktype(
    schemas: Path, tmp_path: Path, node_module: Callable[[str], Path], compiled: Callable[[str], str]
) -> None:
    """Its converters check each field as they read; what they write is what was read."""
    quicktype = node_module("quicktype") / "dist" / "index.js"
    options = ("--src-lang", "schema", "--lang", "typescript", "--out", tmp_path / "types.ts")
    run("node", quicktype, *options, *(schemas / f"{name}.json" for name in KINDS), cwd=tmp_path)
    types = re.sub(r"(?ms)^ *//.*?$|/\*.*?\*/", "", (tmp_path / "types.ts").read_text(encoding="utf-8"))
    assert re.search(r"on_roll: +Player \| null;", types)
    assert re.search(r"\bany\b", types.partition("export class Convert")[0]) is None
    documents = [*map(python_json.loads, DOCUMENTS), *map(json.to_data, [*STATES, *EVENTS, RECORD])]
    broken = [{**document, "version": "3"} for document in documents]
    text = python_json.dumps(python_json.dumps([documents, broken]))
    (tmp_path / "used.ts").write_text(CONVERTED.replace("DOCUMENTS", text), encoding="utf-8")
    shown = python_json.loads(compiled("used"))
    assert shown["again"] == documents
    assert shown["refused"] == len(documents)
    assert shown["on_roll"] == [document["on_roll"] for document in documents if document["type"] == "MatchState"]
