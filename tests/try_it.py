"""The page to try it without a browser: its program in Python, and its examples."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from loading import loaded

DOCS = Path(__file__).parents[1] / "docs"

answers = loaded(DOCS / "try" / "answers.py")
beforehand = loaded(DOCS / "try" / "beforehand.py")


def ask(**question: Any) -> dict[str, Any]:
    """The answer as the page gets it, by way of JSON."""
    return json.loads(answers.answer_text(json.dumps(question)))


EXAMPLES = [
    dict(parse_qsl(address.replace("&amp;", "&")))
    for address in re.findall(r'<a href="\?([^"]+)">', (DOCS / "try.md").read_text(encoding="utf-8"))
]
