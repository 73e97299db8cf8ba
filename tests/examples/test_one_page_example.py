"""`examples/one_page.html`: it is what its program writes now. `tests/browser/test_one_page.py` plays on it."""

from __future__ import annotations

from pathlib import Path

from loading import loaded

PROGRAM = Path(__file__).parents[2] / "examples" / "one_page.py"


def test_the_page_is_up_to_date() -> None:
    """If not: `python examples/one_page.py`."""
    assert loaded(PROGRAM).page() == PROGRAM.with_suffix(".html").read_text(encoding="utf-8")
