"""Images of match states from one dict, which has the arguments of a drawing and the fields of its style."""

from __future__ import annotations

from typing import Any

import attrs

from gammonrules import MatchState
from gammonrules.draw import BoardStyle, svg

STYLE = {field.name for field in attrs.fields(BoardStyle)}


def state_image(state: MatchState, **looks: Any) -> str:
    """`draw.svg.match_state`, with the fields of a style as arguments."""
    style = BoardStyle(**{name: looks[name] for name in looks.keys() & STYLE})
    return svg.match_state(state, style=style, **{name: looks[name] for name in looks.keys() - STYLE})
