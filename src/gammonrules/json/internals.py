"""What the base of the classes with a JSON form asks when pydantic asks it. None of it is public."""

from gammonrules.json._pydantic_fields import (
    core_schema_of as core_schema_of,
    json_schema_of as json_schema_of,
)
