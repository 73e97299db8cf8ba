"""Drawings as text and as SVG: the modules `text` and `svg` have the same two functions.

`position` draws a `Position`, and `match_state` a `MatchState`. A `BoardStyle` sets how an SVG image looks.
`str(position)` and `str(state)` return the text, and notebooks show the SVG image.

`board_js` is the board on which a user plays in a web page, and `setup_js` the board on which a user sets up a
position. `rules_js`, `match_js`, `history_js`, `xgid_js` and `opponent_js` are JavaScript: the rules, whole matches,
matches with their history, XGIDs, and an opponent.
"""

from importlib.resources import files
from typing import TYPE_CHECKING

from gammonrules._shared.extras import when_named as _when_named
from gammonrules.draw._labels import LABELS, Labels
from gammonrules.draw._opponent_script import with_opponent
from gammonrules.draw._styles import BoardStyle
from gammonrules.draw._themes import THEMES, Theme

__all__ = [
    "LABELS",
    "THEMES",
    "BoardStyle",
    "Labels",
    "Theme",
    "board_js",
    "history_js",
    "match_board_js",
    "match_js",
    "opponent_js",
    "rules_js",
    "setup_js",
    "svg",
    "text",
    "xgid_js",
]
__dir__ = __all__.copy

if TYPE_CHECKING:
    from gammonrules.draw import svg as svg, text as text
else:
    # An engine needs the style of drawings to be loaded, but seldom draws.
    __getattr__ = _when_named(__name__, "svg", "text")


def board_js(*, module: bool = False) -> str:
    """The JavaScript of the element `<gammon-board>`, which a web page loads from your server.

    It shows a picture of `draw.svg`, and a person plays the turn on it: by dragging, clicks, touch or keys. The page
    *The board in a web page* describes its attributes and events; their types are in `types/board/` beside it.

    Args:
        module: whether it is an ES module that exports the class `GammonBoard`, for `import`; by default it is a script
            for `<script src=...>`. Both define the element, and do nothing where there is no DOM.

    Raises:
        ArgumentError: `module` is not a bool.

    Examples:
        >>> "gammon-board" in board_js()
        True
        >>> "as GammonBoard};" in board_js(module=True)
        True
    """
    return _module_or_classic("board", module=module)


def rules_js() -> str:
    """The JavaScript of the rules, an ES module that needs no server: what this library knows of plays, compiled.

    The page *Rules without a server* describes what it has; its types are in `types/rules/` beside it. The page
    *The rules in other languages* is about `rules.wasm`, the WebAssembly alone.

    Examples:
        >>> "legalPlays" in rules_js()
        True
    """
    return built_script("rules.js")


def match_js() -> str:
    """The JavaScript of matches, an ES module that needs no server: whole states, and everything that changes them.

    It has all that `rules_js` has besides. The page *Matches without a server* describes it; its types are in
    `types/match/` beside it, and `match.wasm` is the WebAssembly alone, for other languages.

    Examples:
        >>> "newMatch" in match_js()
        True
    """
    return built_script("match.js")


def history_js(*, module: bool = False) -> str:
    """The JavaScript of a match with its history: its events, what takes one back, and its record as `.mat` text.

    It uses `match.js`. The page *Matches without a server* describes it; its types are in `types/history/` beside it.

    Args:
        module: True returns an ES module that imports `./match.js` and exports the class `MatchHistory`. False (the
            default) returns a script for `<script src=...>` after that of `match_board_js`. It adds the class to
            `gammonBoard`.

    Raises:
        ArgumentError: `module` is not a bool.

    Examples:
        >>> "gammonBoard" in history_js()
        True
        >>> "as MatchHistory};" in history_js(module=True)
        True
    """
    return _module_or_classic("history", module=module)


def xgid_js(*, module: bool = False) -> str:
    """The JavaScript of XGIDs: what writes the state of a match as one, and reads one as people paste it.

    It uses `match.js`. The page *Matches without a server* describes it; its types are in `types/identifiers/` beside
    it.

    Args:
        module: whether it is an ES module that exports `xgid` and `fromXgid`, or a script that adds both to
            `gammonBoard`, as for `history_js`.

    Raises:
        ArgumentError: `module` is not a bool.

    Examples:
        >>> "gammonBoard" in xgid_js()
        True
        >>> "as fromXgid" in xgid_js(module=True)
        True
    """
    return _module_or_classic("xgid", module=module)


def opponent_js(*, module: bool = False) -> str:
    """The JavaScript of an opponent, who decides in any state of a match, and says what plays and doubles are worth.

    It uses `match.js`. The page *Matches without a server* describes it; its types are in `types/opponent/` beside it.

    Args:
        module: whether it is an ES module that imports `./match.js`, or a script that adds `opponent` to `gammonBoard`,
            as for `history_js`.

    Raises:
        ArgumentError: `module` is not a bool.

    Examples:
        >>> "gammonBoard" in opponent_js()
        True
        >>> "as decide" in opponent_js(module=True)
        True
    """
    return with_opponent(_module_or_classic("opponent", module=module))


def setup_js(*, module: bool = False) -> str:
    """The JavaScript of the element `<gammon-setup>`, on which a person sets up a position by hand.

    It needs nothing else, not even a picture. The page *Setting up a position in a web page* describes it; its types
    are in `types/setup/` beside it.

    Args:
        module: whether it is an ES module that exports the class `GammonSetup`, as for `board_js`.

    Raises:
        ArgumentError: `module` is not a bool.

    Examples:
        >>> "gammon-setup" in setup_js()
        True
        >>> "as GammonSetup};" in setup_js(module=True)
        True
    """
    return _module_or_classic("setup", module=module)


def match_board_js(*, module: bool = False) -> str:
    """The JavaScript of a `<gammon-board>` that needs no server: it has the rules, and draws the match itself.

    Given the state of a match, or a position and dice, it is the board of `board_js` besides. The page *The board in a
    web page* describes it; its types are in `types/match-board/` beside it. A page has this script or that of
    `board_js`.

    Args:
        module: whether it is an ES module, which exports the class `GammonBoard`, and as `rules` what `match_js` does.
            The script has both in the global variable `gammonBoard`.

    Raises:
        ArgumentError: `module` is not a bool.

    Examples:
        >>> "gammonBoard" in match_board_js()
        True
        >>> "as GammonBoard," in match_board_js(module=True)
        True
    """
    return _module_or_classic("match-board", module=module)


def _module_or_classic(name: str, *, module: bool) -> str:
    """The module of this name, or the script without `export`."""
    from gammonrules.draw._scene import flag  # noqa: PLC0415 - drawings are loaded when used

    return built_script(f"{name}.js" if flag("module", module) else f"{name}-classic.js")


def built_script(name: str) -> str:
    """A script that the modules in `web/` have been built to."""
    return files(__name__).joinpath("scripts", name).read_text(encoding="utf-8")
