"""What teaches the converter how records are written and read. None of it is public."""

from gammonrules.json._forms import (
    CONVERTER as CONVERTER,
    register_union as register_union,
    text as text,
    write_tagged as write_tagged,
)
