"""`examples/one_page.html`: it is what its program writes now. `tests/browser/test_alone.py` plays on it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "examples" / "one_page.py"


def test_the_page_is_up_to_date() -> None:
    """If not: `python examples/one_page.py`."""
    spec = importlib.util.spec_from_file_location("one_page", PROGRAM)
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    assert program.page() == PROGRAM.with_suffix(".html").read_text(encoding="utf-8")
