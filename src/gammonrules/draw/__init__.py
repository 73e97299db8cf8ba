"""Boards as text and as SVG: the modules `text` and `svg` have the same two functions.

`board` draws a `Position`, `table` a `MatchState`. `draw.board` and `draw.table` are those of `text`, which
`str(position)` and `str(state)` use; notebooks show the SVG. `board_js` is the board on which a person plays in a web
page, `setup_js` the one on which they set up a position; `rules_js`, `match_js`, `game_js` and
`xgid_js` are the rules, whole matches, matches with their history, and XGIDs for JavaScript.
"""

import json
import re
from importlib.resources import files

from gammonrules.board import Position
from gammonrules.draw import svg, text
from gammonrules.draw._packing import packed
from gammonrules.draw._scene import flag
from gammonrules.draw._wording import WORDS, Words
from gammonrules.draw.text import board, table
from gammonrules.match import MatchState, Player

__all__ = [
    "WORDS",
    "Words",
    "alone_js",
    "board",
    "board_js",
    "game_js",
    "match_js",
    "rules_js",
    "setup_js",
    "svg",
    "table",
    "text",
    "xgid_js",
]
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
        >>> "gammon-board" in board_js()
        True
        >>> board_js(module=True).rstrip().endswith("export { GammonBoard };")
        True
    """
    return _script_for(_source("board.js"), module=module)


def rules_js() -> str:
    """The JavaScript of the rules, an ES module that needs no server: what this library knows of plays, compiled.

    The page *Rules without a server* describes what it has; its types are in the file `rules.d.ts` beside it. The page
    *The rules in other languages* is about `rules.wasm`, the WebAssembly alone.

    Examples:
        >>> "legalPlays" in rules_js()
        True
    """
    return built_script("rules.js")


def match_js() -> str:
    """The JavaScript of matches, an ES module that needs no server: whole states, and everything that changes them.

    It has all that `rules_js` has besides. The page *Matches without a server* describes it; its types are in the file
    `match.d.ts` beside it, and `match.wasm` is the WebAssembly alone, for other languages.

    Examples:
        >>> "newMatch" in match_js()
        True
    """
    return built_script("match.js")


def game_js(*, module: bool = False) -> str:
    """The JavaScript of a match with its history: its events, what takes one back, and its record as `.mat` text.

    It uses `match.js`. The page *Matches without a server* describes it; its types are in the file `game.d.ts` beside
    it.

    Args:
        module: whether it is an ES module that imports `./match.js` and exports the class `Game`. By default it is a
            script for `<script src=...>` after that of `alone_js`, which adds the class to `gammonBoard`.

    Raises:
        ArgumentError: `module` is not a bool.

    Examples:
        >>> "gammonBoard" in game_js()
        True
        >>> "as Game};" in game_js(module=True)
        True
    """
    return built_script("game.js" if flag("module", module) else "game-classic.js")


def xgid_js(*, module: bool = False) -> str:
    """The JavaScript of XGIDs: what writes the state of a match as one, and reads one as people paste it.

    It uses `match.js`. The page *Matches without a server* describes it; its types are in the file `xgid.d.ts` beside
    it.

    Args:
        module: whether it is an ES module that exports `xgid` and `fromXgid`, or a script that adds both to
            `gammonBoard`, as for `game_js`.

    Raises:
        ArgumentError: `module` is not a bool.

    Examples:
        >>> "gammonBoard" in xgid_js()
        True
        >>> "as fromXgid" in xgid_js(module=True)
        True
    """
    return built_script("xgid.js" if flag("module", module) else "xgid-classic.js")


def setup_js(*, module: bool = False) -> str:
    """The JavaScript of the element `<gammon-setup>`, on which a person sets up a position by hand.

    It needs nothing else, not even a picture. The page *Setting up a position in a web page* describes it; its types
    are in the file `setup.d.ts` beside it.

    Args:
        module: whether it is an ES module that exports the class `GammonSetup`, as for `board_js`.

    Raises:
        ArgumentError: `module` is not a bool.

    Examples:
        >>> "gammon-setup" in setup_js()
        True
        >>> setup_js(module=True).rstrip().endswith("export { GammonSetup };")
        True
    """
    board = _body_of("board.js")
    first_part, _, _ = board.partition("  // --- arrows ---\n")
    shared = _only_match(r"as in <gammon-setup> ---\n([\s\S]*?)    // ---", board)
    script = _source("setup.js").replace('"BOARD";', first_part).replace('"BOTH";', shared)
    return _with_blanks(_script_for(script, module=module))


def alone_js(*, module: bool = False) -> str:
    """The JavaScript of a `<gammon-board>` that needs no server: it has the rules, and draws the table itself.

    Given the state of a match, or a position and dice, it is the board of `board_js` besides. The page *The board in a
    web page* describes it; its types are in the file `alone.d.ts` beside it. A page has this script or that of
    `board_js`.

    Args:
        module: whether it is an ES module, which exports the class `GammonBoard`, and as `rules` what `match_js` does.
            The script has both in the global variable `gammonBoard`.

    Raises:
        ArgumentError: `module` is not a bool.

    Examples:
        >>> "gammonBoard" in alone_js()
        True
        >>> "export { GammonBoard, RULES as rules }" in alone_js(module=True)
        True
    """
    script = _alone_script(module=module)
    # the rules come last, since they are packed apart
    _, _, rules = _packed_match().partition('"use strict";')
    script = script.replace('"RULES";', rules)
    return script.replace("export { GammonBoard }", "export { GammonBoard, RULES as rules }")


def alone_beside_match_js() -> str:
    """The same as a module that imports `match.js`, so that a page which has both loads that once."""
    script = _alone_script(module=True).replace('"RULES";', "")
    script = script.replace('"use strict";', 'import * as RULES from "./match.js";', 1)
    return script.replace("export { GammonBoard }", "export { GammonBoard, RULES as rules }")


def _alone_script(*, module: bool) -> str:
    """The script of `alone_js` with a mark in the place of the rules."""
    # the class of board.js is the base of that of alone.js, and is not registered as an element itself
    board, _, _ = _body_of("board.js").partition("  // Servers")
    board = board.replace("class GammonBoard", "class Board")
    drawing = _only_match(r"as in alone.js ---\n([\s\S]*?)  // ---", _body_of("setup.js"))
    script = _source("alone.js").replace('"BOARD";', board).replace('"DRAWING";', drawing)
    script = script.replace('"TABLE";', _source("alone_table.js"))
    names = "globalThis.gammonBoard ??= { GammonBoard, rules: RULES };"
    script = script.replace('"GLOBAL";', "" if flag("module", module) else names)
    return _with_blanks(_script_for(script, module=module))


def built_script(name: str) -> str:
    """A script that the modules in `web/` have been built to."""
    return files(__name__).joinpath("scripts", name).read_text(encoding="utf-8")


def _packed_match() -> str:
    """The rules and matches, packed, as one constant."""
    rules, names_of_rules = _body_and_exports("rules.js")
    match, names_of_match = _body_and_exports("match.js")
    # in one function, where the match finds what the rules do not export
    script = f"{rules}{match}  return {{ {names_of_match}, {names_of_rules} }};\n}})();\n"
    return _with_code(script, "match.wasm")


def _with_code(script: str, name: str) -> str:
    """The rules, packed, with this WebAssembly."""
    script = packed(script.replace('"NOTATION";', _source("notation.js")))
    code = files("gammonrules").joinpath("c", name).read_bytes()
    return script.replace('"CODE"', f'"{_as_text(code)}"')


_SIGNS = [chr(code) for code in range(32, 126) if chr(code) not in '"<\\']
"""The 91 signs that a string of JavaScript can have within HTML, but "~"."""


def _as_text(code: bytes) -> str:
    """A sign for each byte, and before it "~" for each 91 that the byte is above the sign.

    Most bytes of WebAssembly are small. Compressed, this is 7 % shorter than hexadecimal digits.
    """
    count = len(_SIGNS)
    return "".join(["~" * (byte // count) + _SIGNS[byte % count] for byte in code])


def _body_and_exports(name: str) -> tuple[str, str]:
    """A script up to its last statement, and the names that this returns."""
    body, exports = _EXPORTS.split(_source(name))[:2]
    return body, exports


def _with_blanks(script: str) -> str:
    """With the pictures on which it draws, of boards without a checker on a point: one of each side is on the bar."""
    state = MatchState(Position.of({25: 1}, {25: 1}, checkers=1), Player.WHITE)
    landscape = svg.table(state, header=False, footer=False, look="depth", layout="landscape")
    portrait = svg.table(state, header=False, footer=False, look="depth", layout="portrait")
    blanks = [_with_few_points(picture) for picture in (landscape, portrait)]
    return script.replace('"BLANKS"', json.dumps(blanks))


def _with_few_points(picture: str) -> list[str | float]:
    """A picture as `alone.js` takes it, which makes all points from two of each row.

    These are what is before and what is after the points; how far one point is from the next, and how much farther
    where the bar is between; two points of the lower row, and two of the upper one. In the points, "~" is before their
    numbers, and "@" before the x that changes from point to point.
    """
    picture = re.sub(r"<(title|desc)>.*?</\1>|\n", "", picture.replace('"', "'"))
    points = re.findall("<g class='point'.*?</g>", picture)  # from the 1 point to the 24 point
    before, _, _ = picture.partition(points[0])
    _, _, after = picture.rpartition(points[-1])
    pitch = _left_edge(points[0]) - _left_edge(points[1])
    six_point = points[5]
    bar_point = points[6]
    width_of_bar = _left_edge(six_point) - _left_edge(bar_point) - pitch
    # the last of each row: their two colors are those of all
    lower_points = _with_signs(points[10] + points[11])
    upper_points = _with_signs(points[22] + points[23])
    return [before, after, pitch, width_of_bar, lower_points, upper_points]


def _left_edge(point: str) -> float:
    (first, *_) = re.findall(r" x='([^']*)'", point)
    return float(first)


def _with_signs(points: str) -> str:
    numbered = re.sub(r"(point='|>)(\d)", r"\1~\2", points)
    return re.sub("( x='|M)", r"\1@", numbered)


_EXPORTS = re.compile(r"(?m)^ *return \{ (.*) \};\n(?=\}\)\(\);\n\Z|\Z)")
"""The last statement of a script that is one function, or a part of one."""
_BODY = re.compile(r"(?m)^[{}]\n")
"""What keeps the names of a script to itself."""


def _only_match(pattern: str, script: str) -> str:
    """What the group of a pattern matches, which is there once."""
    text: str
    (text,) = re.findall(pattern, script)
    return text


def _source(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


def _body_of(name: str) -> str:
    """What stands within the braces of a script."""
    return _BODY.split(_source(name))[1]


def _script_for(script: str, *, module: bool) -> str:
    """A script without what only its readers need, or an ES module that exports the class of its element."""
    measures = json.dumps(svg.MEASURES_OF_BOARD_JS, separators=(",", ":"))
    if not flag("module", module):
        return packed(script).replace('"MEASURES"', measures)
    comment, body, _ = _BODY.split(script)  # without the braces, since a module keeps its names
    name = _only_match(r"customElements.define\(.*, (\w+)\)", body)
    module_script = packed(comment + body).replace('"MEASURES"', measures)
    return f"{module_script}export {{ {name} }};\n"
