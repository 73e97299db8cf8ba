"""Values as fields of pydantic: read and written as documents, and described by the schema of their class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any

from cattrs import BaseValidationError
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, ValidationError
from pydantic_core.core_schema import (
    definitions_schema,
    no_info_plain_validator_function,
    plain_serializer_function_ser_schema,
    union_schema,
)

from gammonrules._shared.json_form import described
from gammonrules.errors import GammonError
from gammonrules.json import schema
from gammonrules.json._class_schemas import REFERENCES
from gammonrules.json._document import value_in, written
from gammonrules.json._kinds import KINDS, Value, refuse_other_kinds
from gammonrules.json._strict import Leaf, is_plain_name, ordered_leaves
from gammonrules.values import MAX_NAMED, is_mapping, is_series, shown

_Schema = dict[str, Any]


# --- values -------------------------------------------------------------------------------------------


def core_schema_of(kind: type[Any], handler: GetCoreSchemaHandler) -> CoreSchema:
    """The schema by which pydantic reads and writes a field of this type; one of `json.Value` takes all of them.

    Raises:
        ArgumentError: it is a type that has no JSON form, such as a class derived from one that has.
    """
    if kind is Value:
        return union_schema([handler.generate_schema(known) for known in KINDS.values()])
    refuse_other_kinds(kind)
    return no_info_plain_validator_function(
        _reader(kind),
        ref=_definition_name(f"{kind.__name__}Document"),  # the title of its schema
        serialization=plain_serializer_function_ser_schema(written),
    )


def _reader(kind: type[Any]) -> Callable[[object], Any]:
    """The function that reads a field of this type; an error in a union says by its name which member it is of."""

    def read_field(data: object) -> Any:
        return _read(kind, data)

    read_field.__name__ = read_field.__qualname__ = kind.__name__
    return read_field


def _read(kind: type[Any], data: object) -> Any:
    """A value of this type as it is, or the one in a document. Raises ValidationError, with a line for each error."""
    if type(data) is kind:
        return data
    try:
        return value_in(data, {kind.__name__: kind})
    except (GammonError, BaseValidationError) as error:
        lines = [_error_details(leaf, data) for leaf in islice(ordered_leaves(error), MAX_NAMED)]
        raise ValidationError.from_exception_data(kind.__name__, lines) from None


def _error_details(leaf: Leaf, document: object) -> InitErrorDetails:
    """An error as pydantic has it: the class of ours is its type.

    What was wrong is described, not repeated: it may be endless, or nothing that an answer in JSON can contain.
    """
    # pydantic asks for literals, since both can be templates; without a context they are taken as they are
    custom_error: Any = PydanticCustomError
    return InitErrorDetails(
        type=custom_error(type(leaf.error).__name__, leaf.sentence),
        loc=tuple(map(_location, leaf.places)),
        input=described(_part_at(document, leaf.places)),
    )


def _location(place: object) -> str | int:
    if isinstance(place, int):
        return place
    return place if is_plain_name(place) else shown(place)


def _part_at(document: object, places: Sequence[object]) -> object:
    """The part of a document at the end of this path, as far as it leads."""
    part: Any = document
    for place in places:
        if _contains(part, place):
            part = part[place]
    return part


def _contains(part: object, place: object) -> bool:
    """Whether something of a document stands there; the places of an array are its own."""
    return is_series(part) or (is_mapping(part) and place in part)


# --- schemas ------------------------------------------------------------------------------------------


def json_schema_of(
    kind: type[Any], core_schema: CoreSchema, handler: GetJsonSchemaHandler
) -> _Schema:
    """The schema of the documents of this type; pydantic keeps its definitions beside those of the caller's models."""
    if kind is Value:
        return handler(core_schema)
    document = schema(kind)
    definitions = document.pop("$defs")
    form: _Schema = _referring(document, definitions, handler)
    return form


class _Definition:
    """A definition that schemas refer to, in an annotation, as pydantic asks it for its schema."""

    def __init__(self, name: str, definitions: Mapping[str, _Schema]) -> None:
        self._name = name
        self._definitions = definitions

    def __get_pydantic_json_schema__(self, _: CoreSchema, handler: GetJsonSchemaHandler) -> _Schema:
        definition = self._definitions[self._name]
        form: _Schema = _referring(definition, self._definitions, handler)
        return form

    def reference(self, handler: GetJsonSchemaHandler) -> _Schema:
        """The reference to it, where pydantic keeps definitions now: OpenAPI has another place than JSON Schema."""
        annotated: Any = TypeAdapter(Annotated[Any, self]).core_schema
        definition: Any = {**annotated, "ref": _definition_name(self._name)}
        # the handler asks an annotation for its schema only where it stands inside another
        return handler(definitions_schema(definition, []))


def _referring(part: Any, definitions: Mapping[str, _Schema], handler: GetJsonSchemaHandler) -> Any:
    """A part of a schema whose references are those of pydantic."""
    if is_series(part):
        return [_referring(item, definitions, handler) for item in part]
    if not is_mapping(part):
        return part
    if "$ref" in part:
        name = str(part["$ref"]).removeprefix(REFERENCES)
        return _Definition(name, definitions).reference(handler)
    return {key: _referring(value, definitions, handler) for key, value in part.items()}


def _definition_name(definition: str) -> str:
    """The name under which pydantic keeps a definition; its last part alone, if no model has this name too."""
    return f"gammonrules.json.{definition}"
