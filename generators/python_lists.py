"""Lists of names in modules that do not import what has them: a command imports what it works with when it runs."""

from __future__ import annotations

from pathlib import Path

import library_names as names

PICTURES = Path(__file__).parents[1] / "src" / "gammonrules" / "cli" / "image_files.py"


def files() -> dict[Path, str]:
    themes = f"_THEMES: Final = [{', '.join(names.quoted(names.THEME_NAMES))}]"
    return {PICTURES: names.with_block(PICTURES.read_text(encoding="utf-8"), "themes", themes)}
