"""JSON as text, in the form of `json/schema.json`: what fits on a line stands on one."""

from __future__ import annotations

import json
from typing import Any

WIDTH = 120
SHORT = 45
"""Items of an array up to this length share lines."""


def dumped(value: Any, indent: int = 0, before: int = 0, after: int = 0) -> str:
    """A value whose first line has so many columns before it, and whose last line has so many after it."""
    line = inline(value)
    if before + len(line) + after <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    margin = " " * (indent + 2)
    if isinstance(value, dict):
        names = [f"{json.dumps(name)}: " for name in value]
        items = [
            name + dumped(item, indent + 2, len(margin + name), 1)
            for name, item in zip(names, value.values(), strict=True)
        ]
    elif max(len(inline(item)) for item in value) <= SHORT:
        items = filled([*map(inline, value)], WIDTH - len(margin))
    else:
        items = [dumped(item, indent + 2, len(margin), 1) for item in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n{margin}" + f",\n{margin}".join(items) + f"\n{' ' * indent}{end}"


def inline(value: Any) -> str:
    if isinstance(value, dict) and value:
        items = [f"{json.dumps(name)}: {inline(item)}" for name, item in value.items()]
        return f"{{ {', '.join(items)} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(inline, value))}]"
    return json.dumps(value, ensure_ascii=False)


def filled(items: list[str], width: int) -> list[str]:
    """Items joined to lines of this width, with a comma at the end of each."""
    lines = items[:1]
    for item in items[1:]:
        joined = f"{lines[-1]}, {item}"
        if len(joined) < width:
            lines[-1] = joined
        else:
            lines.append(item)
    return lines
