"""How large what is given may be: every cap of the core, in one place. `docs/reference/limits.md` states them.

Numbers are bounded so that every match state that can exist can also be shown, and written in every form.
"""

from __future__ import annotations

MOST_TURNS = 24
"""How often a cube can be turned."""
LARGEST_CUBE = 1 << MOST_TURNS
"""The highest value of a cube. The points that such a cube wins are exact in a float32 too."""
MOST_POINTS = 1_000_000_000
"""The longest match, the most points of one win, and the highest score with which a game can begin."""
MOST_IN_A_ROW = 1_000
"""The highest number of beavers, and of automatic doubles, that rules can allow."""
LONGEST_ROLL = 20
"""Characters of a roll as text, blanks among them."""
MOST_MOVES = 4
"""The moves of a play: those of a doublet."""
LONGEST_PLAY = 200
"""Characters of a play as text."""
MOST_DEPTH = 100
"""The deepest count of `perft`."""
MOST_SCRIPTED = 1_000
"""The most turns of a game, and games of a match, that strategies draw."""
LONGEST_DOCUMENT = 1_000_000
"""Characters of a JSON document; the largest that arises in a game has some two thousand."""
LARGEST_JSON_NUMBER = 2**53 - 1
"""Every JSON reader takes whole numbers up to here as they are; RFC 8259, section 6."""
LARGEST_PICTURE = 100_000
"""Pixels of the width of an SVG."""
LONGEST_NAME = 100
"""Characters of a player's name in the description of a picture."""
LONGEST_MESSAGE = 500
"""Characters up to which an error lists several problems."""
