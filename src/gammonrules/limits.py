"""The limits of values; each reader has its own beside it. `docs/reference/limits.md` lists all of them.

Numbers are bounded so that every possible match state can be shown, and written in every format.
"""

from __future__ import annotations

MAX_CUBE_TURNS = 24
"""How many times a cube can be turned."""
MAX_CUBE = 1 << MAX_CUBE_TURNS
"""The highest value of a cube. Its points are exact in a float32 too."""
MAX_POINTS = 1_000_000_000
"""The longest match, the most points for one win, and the highest score with which a game can begin."""
MAX_SECONDS = 1_000_000_000_000
"""The most that a clock can show, and the farthest time by either sign; a float tells its milliseconds apart."""
MAX_IN_A_ROW = 1_000
"""The most beavers, and the most automatic doubles, that rules can allow."""
MAX_ROLL_LENGTH = 20
"""Characters of a roll as text, including blanks."""
MAX_MOVES = 4
"""Moves of a play, as many as a doublet has."""
MAX_PLAY_LENGTH = 200
"""Characters of a play as text."""
MAX_DEPTH = 100
"""The greatest depth for `perft`."""
MAX_SCRIPTED = 1_000
"""Turns of a game, and games of a match, that strategies draw."""
MAX_JSON_LENGTH = 1_000_000
"""Characters of a JSON document of one value; the largest that occurs in a game has about two thousand."""
MAX_JSON_RECORD_LENGTH = 33_554_432
"""Characters of a JSON document of a match record; one of 300 rolls with an analysis of each has about 1.5 million."""
MAX_JSON_NUMBER = 2**53 - 1
"""The largest whole number that every JSON reader reads exactly; RFC 8259, section 6."""
MAX_EPISODE_LENGTH = 127
"""Points of a match in an environment for reinforcement learning, so that an observation is int8."""
MAX_ENVIRONMENTS = 1 << 24
"""Games of one vectorized environment; their masks alone would take 50 GB."""
MAX_TIES = 1_000
"""Tied opening rolls in a row in an environment: fair dice never give that many, but a faulty function may."""
MAX_EQUITY_TABLE_POINTS = 64
"""Points that a player may need in a match equity table that is read or generated."""
MAX_EQUITY_FILE_SIZE = 1 << 20
"""Bytes of a match equity table; those of GNU Backgammon have up to 17 thousand."""
MAX_EQUITY_ELEMENTS = 10_000
"""Elements of one in XML; a table of 64 points has about 4,300."""
MAX_BEAROFF_POINTS = 10
"""Points of a bear-off table that is computed."""
MAX_WIDTH = 100_000
"""Pixels of the width of an SVG."""
MAX_MARKED = 100
"""Points that stand out in a picture, and arrows on it."""
MAX_SELECTOR_LENGTH = 200
"""Characters of a CSS selector or a nonce."""
MAX_NAME_LENGTH = 100
"""Characters of a player's name in the description of a picture."""
MAX_LABEL_LENGTH = 200
"""Characters of a label of an image, in `labels`."""
MAX_ROWS_OF_A_GROUP = 1 << 20
"""Rows of a row group of a Parquet table; `export` writes some 50,000, and pyarrow as many as this."""
UNPACKED_TABLE = 1 << 25
UNPACKED_TABLE_RATIO = 300
"""Bytes to which a Parquet table may unpack, and more for each of its own; one of 300 copies of a match: 260."""
MAX_WORKERS = 256
"""Processes that share work."""
MAX_MESSAGE_LENGTH = 500
"""Characters of an error message, beyond which no more problems are listed."""
