"""Widgets with the page that shows them, in tests without a browser."""

from __future__ import annotations

import json
from typing import Any


class Shown:
    """To inherit from before the class of a widget: it keeps what the page was told, as JSON has it."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.told: list[dict[str, Any]] = []
        super().__init__(*arguments, **options)

    def send(self, content: Any, buffers: Any = None) -> None:
        self.told.append(json.loads(json.dumps(content)))

    def heard(self, message: Any) -> None:
        """What the page sends."""
        self._handle_msg({"content": {"data": {"method": "custom", "content": message}}, "buffers": []})  # type: ignore[attr-defined]
