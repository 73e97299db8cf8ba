"""Lists of names in modules that do not import the module with the names, such as the themes in `cli/image_files.py`.

A command imports what it works with when it runs.
"""

from __future__ import annotations

from pathlib import Path

import library_names as names
from marked_blocks import in_code

IMAGE_FILES = Path(__file__).parents[1] / "src" / "gammonrules" / "cli" / "image_files.py"


def files() -> dict[Path, str]:
    themes = f"_THEMES: Final = [{', '.join(names.quoted(names.THEME_NAMES))}]"
    return {IMAGE_FILES: in_code(IMAGE_FILES, {"themes": themes}, begin="# ", end="")}
