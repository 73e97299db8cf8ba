"""The page to try it without a browser: its program in Python, and its examples."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import parse_qsl

DOCS = Path(__file__).parents[1] / "docs"


def loaded(path: Path) -> ModuleType:
    """A file that is no part of a package, as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


answers = loaded(DOCS / "try" / "answers.py")
beforehand = loaded(DOCS / "try" / "beforehand.py")


def ask(**question: Any) -> dict[str, Any]:
    """The answer as the page gets it, by way of JSON."""
    return json.loads(answers.answer_text(json.dumps(question)))


EXAMPLES = [
    dict(parse_qsl(address.replace("&amp;", "&")))
    for address in re.findall(r'<a href="\?([^"]+)">', (DOCS / "try.md").read_text(encoding="utf-8"))
]
