"""The columns of the table of decisions, and of that of candidates: the one place that says what each contains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

from attrs import frozen

Type: TypeAlias = Literal["text", "int", "float", "bool", "date"]
View: TypeAlias = Literal["", "decider", "opponent", "doubler", "White"]
Table: TypeAlias = Literal["decisions", "candidates"]


@frozen
class Column:
    """A column of the table of decisions.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        name: its name.
        type: "text", "int", "float", "bool" or "date".
        unit: what the numbers count, or "".
        view: whose view it is, that of the "decider", the "opponent", the "doubler" or "White"; "" if that makes no
            difference.
        meaning: what it contains, in one sentence.

    Examples:
        >>> from gammonrules.records import COLUMNS, Column
        >>> next(column for column in COLUMNS if column.name == "pips").unit
        'pips'
        >>> Column("weekday", "text", "The day of the week of `date`.").unit
        ''
    """

    name: str
    type: Type
    meaning: str
    unit: str = ""
    view: View = ""


_PLAYER: Final[View] = "decider"
_EQUITY: Final = "normalized equity"
_CHANCE: Final = "0 to 1"

COLUMNS: Final[tuple[Column, ...]] = (
    Column("file", "text", "The path of the file, as it was given or found; `archive.zip/name` in a ZIP archive."),
    Column("match", "text", "The fingerprint of the match, `Match.fingerprint`."),
    Column("site", "text", "Where the match was played, as the file says."),
    Column("event", "text", "The tournament, as the file says."),
    Column("round", "text", "The round of the tournament, as the file says."),
    Column("date", "date", "The day of the match, if what the file says can only be read in one way."),
    Column("date_text", "text", "The date in the words of the file."),
    Column("length", "int", "The points of the match as stated; 0 in money play.", "points"),
    Column("coin_game", "bool", "Whether it is one game of money play, written as a match to 16."),
    Column("game", "int", "The number of the game as the record states it, else counted from 1."),
    Column("game_fingerprint", "text", "The fingerprint of the game, `Game.fingerprint`."),
    Column("turn", "int", "The turn in the game, from 1; a double, its answer and the play have the same."),
    Column("player", "text", "The name of the decider.", "", _PLAYER),
    Column("opponent", "text", "The name of the other player.", "", _PLAYER),
    Column("seat", "text", "`white` (the left column of the record) or `black`.", "", _PLAYER),
    Column("rating", "float", "The decider's rating as the file gives it.", "as in the file", _PLAYER),
    Column("opponent_rating", "float", "The opponent's rating as the file gives it.", "as in the file", _PLAYER),
    Column("score", "int", "The decider's points before the game.", "points", _PLAYER),
    Column("opponent_score", "int", "The opponent's points before the game.", "points", _PLAYER),
    Column("away", "int", "What the decider still needs to win the match; null in money play.", "points", _PLAYER),
    Column("opponent_away", "int", "What the opponent still needs; null in money play.", "points", _PLAYER),
    Column("crawford", "bool", "Whether this is the Crawford game."),
    Column("post_crawford", "bool", "Whether the Crawford game was played before this game."),
    Column("cube", "int", "The value of the cube before the decision; for an answer, before the double."),
    Column("cube_owner", "text", "`centered`, `player` or `opponent`, as of `cube`.", "", _PLAYER),
    Column(
        "decision",
        "text",
        "`double` (double or roll, where doubling is legal), `answer`, `play`, `resign` or `resign_answer`.",
    ),
    Column("dice", "text", "The dice, the larger first, such as `31`; null without dice."),
    Column(
        "action",
        "text",
        "What was done: a play in canonical notation; `double`, `roll`; `take`, `drop`, `beaver`; `single`, `gammon`, "
        "`backgammon` for a resignation; `accept`, `decline`.",
        "",
        _PLAYER,
    ),
    Column("plays", "int", "The number of legal plays, 1 for a dance; null where no play is made.", "plays"),
    Column("forced", "bool", "Whether only one play was legal, as in a dance."),
    Column("position_id", "text", "The Position ID of the board before the decision.", "", _PLAYER),
    Column("xgid", "text", "The XGID of the state before the decision, White at the bottom.", "", "White"),
    Column("pips", "int", "The decider's pips before the decision.", "pips", _PLAYER),
    Column("opponent_pips", "int", "The opponent's pips before the decision.", "pips", _PLAYER),
    Column("bar", "int", "The decider's checkers on the bar.", "checkers", _PLAYER),
    Column("opponent_bar", "int", "The opponent's checkers on the bar.", "checkers", _PLAYER),
    Column("off", "int", "The decider's checkers borne off.", "checkers", _PLAYER),
    Column("opponent_off", "int", "The opponent's checkers borne off.", "checkers", _PLAYER),
    Column("race", "bool", "Whether there is no more contact before the decision."),
    Column("hits", "int", "The blots hit by the action; 0 where no play is made.", "checkers", _PLAYER),
    Column(
        "game_points",
        "int",
        "What the decider won in this game, negative if they lost, even beyond the match length; null without an end.",
        "points",
        _PLAYER,
    ),
    Column("match_won", "bool", "Whether the decider won the match; null without an end.", "", _PLAYER),
    Column("findings", "int", "The findings of severity warning or error at this decision.", "findings"),
    Column("best", "text", "The best action by the stored analysis, like `action`.", "", _PLAYER),
    Column("equity_best", "float", "The equity of the best action.", _EQUITY, _PLAYER),
    Column("equity", "float", "The equity of what was done.", _EQUITY, _PLAYER),
    Column("error", "float", "What the decision cost, never negative.", _EQUITY, _PLAYER),
    Column("equity_no_double", "float", "Without doubling; in `double` and `answer` rows.", _EQUITY, "doubler"),
    Column("equity_double_take", "float", "Of a double that is taken; in the same rows.", _EQUITY, "doubler"),
    Column("equity_double_pass", "float", "Of a double that is dropped; in the same rows.", _EQUITY, "doubler"),
    Column("win", "float", "The chance of winning the game after what was done (without doubling).", _CHANCE, _PLAYER),
    Column("win_gammon", "float", "The chance of winning a gammon or a backgammon.", _CHANCE, _PLAYER),
    Column("win_backgammon", "float", "The chance of winning a backgammon.", _CHANCE, _PLAYER),
    Column("lose_gammon", "float", "The chance of losing a gammon or a backgammon.", _CHANCE, _PLAYER),
    Column("lose_backgammon", "float", "The chance of losing a backgammon.", _CHANCE, _PLAYER),
    Column("luck", "float", "The luck of the roll.", _EQUITY, _PLAYER),
    Column("engine", "text", "The program that analyzed, as far as the file says."),
    Column("level", "text", "How deep it looked at what was done, in its own words."),
    Column("counts_xg", "bool", "Whether it counts in an error rate by the rule of eXtreme Gammon."),
    Column("counts_gnubg", "bool", "Whether it counts in one by the rule of GNU Backgammon."),
    Column("mwc_error", "float", "`error` as a chance of winning the match; null in money play.", _CHANCE, _PLAYER),
    Column("luck_mwc", "float", "`luck` as a chance of winning the match; null in money play.", "-1 to 1", _PLAYER),
    Column("rank", "int", "The place of the play that was made among the candidates, 1 for the best."),
    Column("equity_second", "float", "The equity of the second best play.", _EQUITY, _PLAYER),
    Column("mistake", "text", "`missed_double`, `wrong_double`, `wrong_take`, `wrong_drop`, or null.", "", _PLAYER),
    Column("line", "int", "The line of the file, counted from 1; of an .xg file, the record."),
    Column("longest_prime", "int", "The most points in a row that the decider has made.", "points", _PLAYER),
    Column("opponent_longest_prime", "int", "The same of the opponent.", "points", _PLAYER),
    Column("anchors", "int", "The points that the decider has made in the opponent's home board.", "points", _PLAYER),
    Column("opponent_anchors", "int", "The same of the opponent.", "points", _PLAYER),
    Column("number", "int", "The number of the decision in the game, from 1; another game of that number goes on."),
)
"""The columns of the table of decisions, in order."""

KEYS: Final = "file", "match", "game", "turn", "engine", "number"
"""The columns of a decision that its candidates have too; no other decision has the same file, game and number."""

CANDIDATES: Final[tuple[Column, ...]] = (
    *(column for column in COLUMNS if column.name in KEYS),
    Column("rank", "int", "The place of the play among the candidates, as the engine lists them, 1 for the best."),
    Column("play", "text", "The play in canonical notation.", "", _PLAYER),
    Column("position_id", "text", "The Position ID of the board after it, the opponent on roll.", "", "opponent"),
    *(column for column in COLUMNS if column.name.startswith(("win", "lose"))),
    Column("equity", "float", "The equity of this play.", _EQUITY, _PLAYER),
    Column("level", "text", "How deep the engine looked at it, in its own words."),
    Column("standard_error", "float", "The standard error of the equity, of a rollout.", _EQUITY),
)
"""The columns of the table of candidates, in order."""

COLUMNS_OF: Final[Mapping[Table, tuple[Column, ...]]] = {"decisions": COLUMNS, "candidates": CANDIDATES}


def names_of(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in COLUMNS_OF[table])
