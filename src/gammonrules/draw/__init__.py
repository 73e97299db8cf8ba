"""Boards as text and as SVG: the modules `text` and `svg` have the same two functions.

`board` draws a `Position`, `table` a `MatchState`. `draw.board` and `draw.table` are those of `text`, which
`str(position)` and `str(state)` use; notebooks show the SVG. `board_js` is the board on which a person plays in a web
page.
"""

import json
import re
from importlib.resources import files

from gammonrules.draw import svg, text
from gammonrules.draw._scene import flag
from gammonrules.draw._wording import WORDS, Words
from gammonrules.draw.text import board, table

__all__ = ["WORDS", "Words", "board", "board_js", "svg", "table", "text"]
__dir__ = __all__.copy


def board_js(*, module: bool = False) -> str:
    """The JavaScript of the element `<gammon-board>`, which a web page loads from your server.

    It shows a picture of `draw.svg`, and a person plays the turn on it: by dragging, clicks, touch or keys. The page
    *The board in a web page* describes its attributes and events; their types are in the file `board.d.ts` beside it.

    Args:
        module: whether it is an ES module that exports the class `GammonBoard`, for `import`; by default it is a script
            for `<script src=...>`. Both define the element, and do nothing where there is no DOM.

    Raises:
        ArgumentError: `module` is not a bool.

    Examples:
        >>> "customElements.define" in board_js()
        True
        >>> board_js(module=True).rstrip().endswith("export { GammonBoard };")
        True
    """
    script, end = files(__name__).joinpath("board.js").read_text(encoding="utf-8"), ""
    if flag("module", module):
        comment, body, _ = re.split(r"(?m)^[{}]\n", script)  # what keeps the names of the script to itself
        script, end = comment + body, "export { GammonBoard };\n"
    # Comments and spaces are for those who read the source; those in strings are not, and its patterns have none.
    script = re.sub(r"\n\s+", "\n", re.sub(r" // .*|/\*\*[\s\S]*?\*/", "", script))
    script = re.sub(r"""("[^"\n]*"|`[^`]*`|//.*)| *([={}();,:?<>&|*]+) *""", r"\1\2", script)
    return script.replace('"MEASURES"', json.dumps(svg.MEASURES_OF_BOARD_JS, separators=(",", ":"))) + end
