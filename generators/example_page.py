"""`examples/one_page.html`, which contains the scripts of the library."""

from __future__ import annotations

import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def files() -> dict[Path, str]:
    sys.path.append(str(EXAMPLES))
    import one_page  # noqa: PLC0415  it is in no folder that tests import from

    return {EXAMPLES / "one_page.html": one_page.page()}
