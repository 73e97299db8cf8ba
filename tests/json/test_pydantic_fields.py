"""Values as fields of pydantic: written and read as by `to_data` and `from_data`, with the schema of their class."""

from __future__ import annotations

import json as python_json
from typing import Annotated, Any

import pytest
from hypothesis import given, strategies as st

import loop
from boards import tables
from core_documents import DATA, DOCUMENTS, KINDS as KIND_OF
from gammonrules import ArgumentError, Cube, Event, MatchState, Play, Player, Position, Rules, Win, json
from gammonrules.values import MAX_NAMED
from pydantic_laws import has_schema_of_class, is_read_and_written, is_refused_alike, refused, sentence

pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")
from pydantic import BaseModel, Discriminator, Tag, TypeAdapter, ValidationError  # noqa: E402  only where it is installed

KINDS = tuple(KIND_OF.values())
STATE = MatchState.new(7).opening_roll(3, 1)
DATA_OF_STATE = json.to_data(STATE)
FIELDS = {kind: TypeAdapter(kind) for kind in KINDS}


class Table(BaseModel):
    """As a user writes one."""

    state: MatchState = STATE
    last: Event | None = None
    offers: list[Win] = []
    where: dict[str, Position] = {}


def type_of(value: Any) -> str | None:
    """The type of a document, or of a value."""
    return value.get("type") if isinstance(value, dict) else type(value).__name__


class TestValues:
    @loop.over("document", DOCUMENTS)
    def test_every_class(self, document: str) -> None:
        is_read_and_written(document)

    def test_there_is_a_document_of_each(self) -> None:
        assert {type(json.loads(document)) for document in DOCUMENTS} == {*KINDS}

    @given(tables())
    def test_states(self, state: MatchState) -> None:
        text = FIELDS[MatchState].dump_json(state)
        assert json.loads(text) == FIELDS[MatchState].validate_json(text) == state

    def test_in_a_model(self) -> None:
        event = Event("roll", Player.BLACK, "31")
        table = Table(state=STATE, last=event, offers=[Win.GAMMON], where={"here": STATE.position})
        assert table.state is STATE
        data = table.model_dump()
        assert data["last"] == json.to_data(event)
        assert data["where"] == {"here": json.to_data(STATE.position)}
        assert Table.model_validate(data) == Table.model_validate_json(table.model_dump_json()) == table
        assert table.model_copy(deep=True) == table
        assert Table() == Table.model_validate({})

    @loop.over("value", [STATE, Cube(2, Player.WHITE), Win.GAMMON, None, 3, "3"])
    def test_unions(self, value: object) -> None:
        field = TypeAdapter(MatchState | Cube | Win | int | str | None)
        data = field.dump_python(value)
        assert data == (json.to_data(value) if type(value) in KINDS else value)
        assert field.validate_python(data) == value

    @loop.over("value", [Cube(2, Player.WHITE), Player.WHITE])
    def test_a_union_by_its_types(self, value: json.Value) -> None:
        """Only the member that the document names is asked."""
        members = Annotated[Cube, Tag("Cube")] | Annotated[Player, Tag("Player")]
        field: Any = TypeAdapter(Annotated[members, Discriminator(type_of)])
        data = json.to_data(value)
        assert field.validate_python(value) is value
        assert (field.validate_python(data), field.dump_python(value)) == (value, data)
        (error,) = refused(field, data | {"value": 3})
        assert error["loc"][0] == type(value).__name__

    def test_older_versions(self) -> None:
        (_, result, *_) = (DATA / "json-version-1.jsonl").read_text(encoding="utf-8").splitlines()
        kind = type(json.loads(result))
        assert FIELDS[kind].validate_json(result) == json.loads(result)


class TestWhatIsRefused:
    @loop.rows(
        ("kind", "data", "places"),
        (MatchState, DATA_OF_STATE | {"length": "7"}, ("length",)),
        (MatchState, DATA_OF_STATE | {"cube": {"value": 3, "owner": None}}, ("cube",)),
        (MatchState, DATA_OF_STATE | {"length": 0}, ()),
        (MatchState, DATA_OF_STATE | {"castle": 1}, ("castle",)),
        (MatchState, DATA_OF_STATE | {"a b\ud800": 1}, ("'a b\\ud800'",)),
        (MatchState, DATA_OF_STATE | {"x" * 41: 1}, (f"'{'x' * 39}...",)),
        (MatchState, {name: value for name, value in DATA_OF_STATE.items() if name != "rules"}, ("rules",)),
        (MatchState, DATA_OF_STATE | {"version": json.VERSION + 1}, ("version",)),
        (MatchState, DATA_OF_STATE | {"score": [0, 0, 0]}, ("score",)),
        (MatchState, DATA_OF_STATE | {"score": [0, 1.0]}, ("score", 1)),
        (MatchState, DATA_OF_STATE | {"type": "Cube"}, ("type",)),
        (MatchState, json.to_data(Cube()), ("type",)),
        (MatchState, None, ()),
        (MatchState, [], ()),
        (MatchState, "{}", ()),
        (MatchState, Cube(), ()),
        (Player, "white", ()),
        (Event, json.to_data(Event("take")) | {"argument": float("nan")}, ("argument",)),
        (Play, json.to_data(STATE.legal_plays[0]) | {"moves": []}, ()),
        (Rules, json.to_data(Rules()) | {"scoring": "pips"}, ()),
        (MatchState, DATA_OF_STATE | {3: 4}, (3,)),
        (MatchState, DATA_OF_STATE | {None: 4}, ("None",)),
        (MatchState, DATA_OF_STATE | {"length": "{braces} {0}"}, ("length",)),
    )
    def test_one_sentence_and_its_place(
        self, kind: type[json.Value], data: object, places: tuple[str | int, ...]
    ) -> None:
        (error,) = refused(FIELDS[kind], data)
        assert (error["type"], error["msg"]) == sentence(data, kind)
        assert error["loc"] == places or (places, error["msg"][:2]) == ((), "$:")
        assert python_json.dumps(error["input"], allow_nan=False).isascii()

    def test_where_in_a_model(self) -> None:
        data = {"offers": [json.to_data(Win.GAMMON), {"version": 3, "type": "Win", "value": "double"}]}
        with pytest.raises(ValidationError) as caught:
            Table.model_validate(data)
        (error,) = caught.value.errors()
        assert error["loc"] == ("offers", 1, "value")
        assert error["msg"].startswith('$.value: expected "single"')
        assert error["input"] == "'double'"

    def test_where_in_a_union(self) -> None:
        """Each member says what it misses, under its own name."""
        errors = refused(TypeAdapter(Cube | Player), json.to_data(Cube()) | {"value": 3})
        assert [error["loc"] for error in errors] == [("function-plain[Cube()]",), ("function-plain[Player()]", "type")]

    def test_several_errors_have_a_line_each(self) -> None:
        """In the order of the sentence of `from_data`; no more than that names."""
        points = ["x", *STATE.position.points[1:25], 1.5]
        data = DATA_OF_STATE | {"position": {"points": points, "checkers": 15}, "cube": {"value": 3, "owner": None}}
        errors = refused(FIELDS[MatchState], data)
        assert [error["loc"] for error in errors] == [("position", "points", 0), ("position", "points", 25), ("cube",)]
        assert "; ".join(error["msg"] for error in errors) == sentence(data, MatchState)[1]
        many = DATA_OF_STATE | dict.fromkeys(map(str, range(10**5)))
        assert len(refused(FIELDS[MatchState], many)) == MAX_NAMED

    @loop.over(
        "text", ["[" * 10**5, '{"a":' * 10**5, '{"version":3,"type":"Cube","value":' + "9" * 10**5 + "}", "{", ""]
    )
    def test_what_is_no_json(self, text: str) -> None:
        with pytest.raises(ValidationError):
            FIELDS[Cube].validate_json(text)

    def test_what_is_deep_or_long(self) -> None:
        """It is described, never repeated."""
        deep: Any = []
        for _ in range(10**5):
            deep = [deep]
        for wrong in (deep, [0] * 10**6, "x" * 10**6, 10**10_000, "\ud800"):
            (error,) = refused(FIELDS[MatchState], DATA_OF_STATE | {"cube": wrong})
            assert error["loc"] == ("cube",)
            assert error["msg"] == sentence(DATA_OF_STATE | {"cube": wrong}, MatchState)[1]
            assert len(error["input"]) < 50

    @given(st.randoms(use_true_random=False), st.sampled_from(DOCUMENTS))
    def test_the_same_as_from_data(self, rng: Any, document: str) -> None:
        is_refused_alike(document, rng)

    def test_what_has_no_json_form(self) -> None:
        class Derived(Position):
            pass

        with pytest.raises(ArgumentError, match="has no JSON form"):
            TypeAdapter(Derived)
        with pytest.raises(ValueError, match="has no JSON form"):
            FIELDS[MatchState].dump_python(7)


class TestSchema:
    @loop.over("kind", KINDS)
    def test_is_that_of_the_class(self, kind: type[json.Value]) -> None:
        has_schema_of_class(kind)

    def test_definitions_are_shared(self) -> None:
        """Where a model keeps them, and each once; in OpenAPI they have another place."""
        place = "#/components/schemas/"
        schema = Table.model_json_schema(ref_template=f"{place}{{model}}")
        definitions = schema["$defs"]
        expected: dict[str, Any] = {}
        for kind in (MatchState, Event, Win, Position):
            document = json.schema(kind, references=place)
            expected |= document.pop("$defs") | {document["title"]: document}
        assert definitions == expected
        assert schema["properties"]["offers"]["items"] == {"$ref": f"{place}WinDocument"}
        assert schema["properties"]["state"]["default"] == DATA_OF_STATE

    def test_a_model_may_have_the_same_name(self) -> None:
        class Cube(BaseModel):
            state: MatchState

        class Both(BaseModel):
            mine: Cube
            theirs: MatchState

        definitions = Both.model_json_schema()["$defs"]
        cubes = [name for name in definitions if name.endswith("Cube")]
        assert len(cubes) == 2
        assert sorted("value" in definitions[name]["properties"] for name in cubes) == [False, True]
