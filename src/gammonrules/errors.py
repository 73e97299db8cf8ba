"""The exceptions of the library, and the enums that say what was wrong.

All are `GammonError`, and so `ValueError`. An error about an impossible value has `problems`, a flag enum with *every*
problem found; its message says the same in words. The errors for illegal plays are defined in `board`, since they
contain plays.
"""

from __future__ import annotations

from enum import Flag, StrEnum, auto

__all__ = [
    "ArgumentError",
    "DiceError",
    "DiceProblem",
    "GammonError",
    "IdentifierError",
    "IdentifierWarning",
]
__all__ += [
    "IllegalActionError",
    "IllegalActionReason",
    "MatchStateError",
    "MatchStateProblem",
    "ParseError",
]
__all__ += ["PositionError", "PositionProblem", "ProblemsError", "RulesError", "RulesProblem"]
__dir__ = __all__.copy


class GammonError(ValueError):
    """The base class of all exceptions of this library.

    Each can be made from its sentence alone, since programs that share work among processes raise it again in that way.

    Examples:
        >>> issubclass(ParseError, GammonError), issubclass(GammonError, ValueError)
        (True, True)
    """


class ArgumentError(GammonError):
    """Raised when an argument has the wrong type, or a value that the function never accepts; the message names it.

    Dice, boards, rules, match states, text, plays and actions have errors of their own.

    Examples:
        >>> from gammonrules import Move
        >>> try:
        ...     Move(26, 3)
        ... except ArgumentError as error:
        ...     print(error)
        impossible move: from_point must be a whole number from 1 to 25, not 26
    """


class DiceProblem(Flag):
    """What is wrong with a roll (flags can be combined).

    Examples:
        >>> from gammonrules import Dice
        >>> try:
        ...     Dice(7, 1)
        ... except DiceError as error:
        ...     error.problems is DiceProblem.INVALID_FIRST_DIE
        True
    """

    NOT_A_PAIR = auto()
    """Not a roll: neither two faces nor a string of two faces, no roll at all, or a tie that cannot open a game."""
    INVALID_FIRST_DIE = auto()
    """The first face is not a whole number from 1 to 6."""
    INVALID_SECOND_DIE = auto()
    """The second face is not a whole number from 1 to 6."""


class PositionProblem(Flag):
    """What makes a board impossible (flags can be combined).

    Examples:
        >>> from gammonrules import Position
        >>> try:
        ...     Position.of(mine={6: 16}, theirs={19: 2})
        ... except PositionError as error:
        ...     error.problems & PositionProblem.SHARED_POINT
        ...     error.problems & PositionProblem.TOO_MANY_CHECKERS
        <PositionProblem.SHARED_POINT: 32>
        <PositionProblem.TOO_MANY_CHECKERS: 8>
    """

    NOT_A_BOARD = auto()
    """Not 26 whole numbers, or a point that does not exist."""
    NEGATIVE_COUNT = auto()
    """A negative number of checkers on a point."""
    CHECKERS_ON_WRONG_BAR = auto()
    """Opposing checkers on my bar (index 25), or mine on the opponent's (index 0)."""
    TOO_MANY_CHECKERS = auto()
    """More checkers on one side than the game has."""
    WRONG_NUMBER_OFF = auto()
    """A number of checkers off that does not fit the rest of the board."""
    SHARED_POINT = auto()
    """Checkers of both sides on one point."""
    BOTH_OFF = auto()
    """Both sides have borne off everything."""
    BOTH_SHUT_OUT = auto()
    """Both sides are on the bar against closed boards, so neither can ever move."""
    CHECKERS_OUT_OF_RANGE = auto()
    """`checkers` is not from 1 to 15."""
    UNKNOWN_START = auto()
    """There is no start position with this name."""


class RulesProblem(Flag):
    """What is wrong with a set of rules (flags can be combined).

    Examples:
        >>> from gammonrules import Rules
        >>> try:
        ...     Rules(max_cube=3)
        ... except RulesError as error:
        ...     error.problems is RulesProblem.NUMBER_OUT_OF_RANGE
        True
    """

    NOT_A_BOOL = auto()
    """An on/off option is neither True nor False."""
    NUMBER_OUT_OF_RANGE = auto()
    """`beavers` or `auto_doubles` is not a whole number from 0 to 1,000, or `max_cube` is not a value of a cube."""
    UNKNOWN_CHOICE = auto()
    """An unknown `scoring`, `opening` or `start`."""
    PIPS_WITH_CUBE = auto()
    """Pip scoring with a cube."""
    PIPS_WITH_BEAVERS = auto()
    """Pip scoring with beavers, which need a cube."""
    PIPS_WITH_AUTO_DOUBLES = auto()
    """Pip scoring with automatic doubles, which need a cube."""
    PIPS_WITH_JACOBY = auto()
    """Pip scoring with the Jacoby rule, which is about gammons."""
    BACKGAMMONS_WITHOUT_GAMMONS = auto()
    """Backgammons without gammons."""


class MatchStateProblem(Flag):
    """What makes a match state impossible (flags can be combined).

    Examples:
        >>> from gammonrules import MatchState
        >>> try:
        ...     MatchState.new(length=0)
        ... except MatchStateError as error:
        ...     error.problems is MatchStateProblem.LENGTH_OUT_OF_RANGE
        True
    """

    WRONG_TYPE = auto()
    """A field of the wrong type."""
    LENGTH_OUT_OF_RANGE = auto()
    """A match length that is neither None (money play) nor a whole number from 1 to 1,000,000,000."""
    NEGATIVE_SCORE = auto()
    """A score below 0, or below the points that the result added to it."""
    MATCH_OVER = auto()
    """A game in a match that one side has already won."""
    PIPS_IN_MATCH = auto()
    """Pip scoring in a match."""
    IMPOSSIBLE_CRAWFORD_GAME = auto()
    """A Crawford game in money play, without the Crawford rule, with a turned cube, or where not exactly one side is
    1-away."""
    IMPOSSIBLE_CUBE = auto()
    """A cube that is not a power of two up to 16,777,216, is above the limit of the rules, owned at 1, centered above 1
    in a match, or turned in a game without a cube."""
    NOBODY_ON_ROLL = auto()
    """Dice, an offer, an owned cube or a result before the opening roll."""
    IMPOSSIBLE_DICE = auto()
    """Dice while a double is pending or after the game."""
    IMPOSSIBLE_OFFER = auto()
    """A pending double or resignation that could not have been offered here."""
    IMPOSSIBLE_BEAVER = auto()
    """More beavers than the rules allow, or any in a match."""
    GAME_OVER = auto()
    """One side has borne off everything, but there is no result."""
    IMPOSSIBLE_RESULT = auto()
    """A result that does not follow from the board, the cube, the rules and the offer."""
    NO_START_POSITION = auto()
    """A next game without a start position for its number of checkers."""
    SCORE_TOO_HIGH = auto()
    """A score above 1,000,000,000 points before the game."""


class _NoProblem(Flag):
    UNTOLD = 0


class ProblemsError(GammonError):
    """Raised when a value is impossible, with all its problems at once.

    Attributes:
        problems: the problems, as flags; the message has a clause for each. There are no flags if the error was made
            from its sentence alone.

    Examples:
        >>> from gammonrules import Position
        >>> try:
        ...     Position.of(mine={6: 16}, theirs={25: -1})
        ... except ProblemsError as error:
        ...     len(error.problems)
        2
    """

    _untold: Flag = _NoProblem.UNTOLD

    def __init__(self, message: str, problems: Flag | None = None) -> None:
        super().__init__(message)
        self.problems = self._untold if problems is None else problems


class PositionError(ProblemsError):
    """Raised when a board is impossible (`problems` is a `PositionProblem`).

    Examples:
        >>> from gammonrules import Position
        >>> try:
        ...     Position.of(mine={6: 16})
        ... except PositionError as error:
        ...     print(error)
        impossible position: mine: 16 checkers, but the game has 15
    """

    problems: PositionProblem
    _untold = PositionProblem(0)


class RulesError(ProblemsError):
    """Raised when options are unknown or contradict each other (`problems` is a `RulesProblem`).

    Examples:
        >>> from gammonrules import Rules
        >>> try:
        ...     Rules(scoring="pips")
        ... except RulesError as error:
        ...     print(error)
        impossible rules: pip scoring has no cube, so set cube=False
    """

    problems: RulesProblem
    _untold = RulesProblem(0)


class MatchStateError(ProblemsError):
    """Raised when a match state is impossible (`problems` is a `MatchStateProblem`).

    Examples:
        >>> from gammonrules import MatchState
        >>> try:
        ...     MatchState.new(length=7, score=(0, -1))
        ... except MatchStateError as error:
        ...     print(error)
        impossible match state: Black's score is -1
    """

    problems: MatchStateProblem
    _untold = MatchStateProblem(0)


class DiceError(ProblemsError):
    """Raised when a value is not a roll of two dice, or rolls run out (`problems` is a `DiceProblem`).

    Examples:
        >>> from gammonrules import Dice
        >>> Dice(7, 1)
        Traceback (most recent call last):
        ...
        gammonrules.DiceError: a die must be a whole number from 1 to 6, not 7
    """

    problems: DiceProblem
    _untold = DiceProblem(0)


class ParseError(GammonError):
    """Raised when a text cannot be read.

    Examples:
        >>> from gammonrules import Position
        >>> try:
        ...     Position.start().play("e2-e4", "31")
        ... except ParseError as error:
        ...     print(error)
        cannot read 'e2-e4': a move is written "13/7", "bar/22*", "6/4(2)" or "2/off"
    """


class IdentifierError(ParseError):
    """Raised when a text is not an identifier of this kind; the message names the field that is wrong.

    Examples:
        >>> from gammonrules import MatchState
        >>> xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:71:0:0:0:7:10"
        >>> try:
        ...     MatchState.from_xgid(xgid)
        ... except IdentifierError as error:
        ...     print(error)
        XGID, dice: expected 00, two faces from 1 to 6, D, B or R, not '71'
    """


class IdentifierWarning(UserWarning):
    """Issued when an identifier could be read only by guessing, or says something unlikely; the message says what.

    Examples:
        >>> import warnings
        >>> from gammonrules import MatchState
        >>> xgid = "XGID=-b----E-C---eE---c-e----B-:1:1:-1:D:0:0:0:7:10"
        >>> with warnings.catch_warnings(record=True, action="always") as caught:
        ...     state = MatchState.from_xgid(xgid)  # Black doubles with White's cube?
        >>> caught[0].category is IdentifierWarning, str(state.offer.by)
        (True, 'white')
    """


class IllegalActionReason(StrEnum):
    """The rule that forbids an action (`IllegalActionError.reason`).

    *Equality*: a member equals its own text, as in any StrEnum.

    Examples:
        >>> from gammonrules import MatchState
        >>> try:
        ...     MatchState.new(1).opening_roll(3, 1).play("8/5 6/5").double()
        ... except IllegalActionError as error:
        ...     error.reason is IllegalActionReason.DEAD_CUBE, str(error.reason)
        (True, 'dead_cube')
    """

    UNKNOWN_PLAYER = "unknown_player"
    """`by` is neither a player nor `TO_ACT`, or what a player has sent was not sent by a player, or is for another."""
    NOT_YOUR_TURN = "not_your_turn"
    """The other player is to act."""
    OPENING_ROLL_FIRST = "opening_roll_first"
    """The game must begin with the opening roll."""
    OPENING_ROLL_MADE = "opening_roll_made"
    """The opening roll has been made already."""
    ALREADY_ROLLED = "already_rolled"
    """The dice have been rolled, so it is too late to double or to roll."""
    NOT_ROLLED = "not_rolled"
    """The dice have not been rolled yet."""
    DOUBLE_PENDING = "double_pending"
    """A double must be answered first."""
    NO_DOUBLE_PENDING = "no_double_pending"
    """There is no double to answer."""
    RESIGNATION_PENDING = "resignation_pending"
    """A resignation must be answered first."""
    NO_RESIGNATION_PENDING = "no_resignation_pending"
    """There is no resignation to answer."""
    GAME_OVER = "game_over"
    """The game is over."""
    GAME_NOT_OVER = "game_not_over"
    """The next game can begin only when this one is over."""
    MATCH_OVER = "match_over"
    """The match is over."""
    SCORE_LIMIT = "score_limit"
    """No game can begin with more than 1,000,000,000 points."""
    NO_CUBE = "no_cube"
    """The game is played without a cube."""
    CRAWFORD_GAME = "crawford_game"
    """Nobody may double in the Crawford game."""
    OPPONENT_OWNS_CUBE = "opponent_owns_cube"
    """Only the owner of the cube may redouble."""
    DEAD_CUBE = "dead_cube"
    """The points of the player and the cube already reach the match length."""
    CUBE_LIMIT = "cube_limit"
    """The cube has reached its highest value."""
    NO_BEAVERS_IN_MATCH = "no_beavers_in_match"
    """There are no beavers in a match."""
    TOO_MANY_BEAVERS = "too_many_beavers"
    """The rules allow no beavers, or no more of them in a row."""
    PIPS_ARE_SINGLE = "pips_are_single"
    """With pip scoring only a single game can be resigned."""


class IllegalActionError(GammonError):
    """Raised when the rules forbid an action now; the message says why.

    Attributes:
        reason: the rule that forbids it; use it, not the message, to choose a translation. None if the error was made
            from its sentence alone.

    Examples:
        >>> from gammonrules import MatchState
        >>> try:
        ...     MatchState.new(7).roll("31")
        ... except IllegalActionError as error:
        ...     print(error.reason)
        opening_roll_first
    """

    def __init__(self, message: str, reason: IllegalActionReason | None = None) -> None:
        super().__init__(message)
        self.reason = reason


class EngineError(GammonError):
    """The base class of the errors of an engine; the message names the engine and repeats its last words.

    After any of these but `EngineUnsupportedError`, the engine is ended, and every further question to it raises
    `EngineTerminatedError`.

    Examples:
        >>> issubclass(EngineTimeoutError, EngineError)
        True
    """


class EngineStartError(EngineError):
    """Raised when an engine is not installed, ends at once, or does not answer as one, or a server cannot listen.

    Examples:
        >>> from gammonrules.engine import SimpleEngine
        >>> try:
        ...     SimpleEngine.gnubg(program="no-such-program")
        ... except EngineStartError as error:
        ...     print(error)
        gnubg: there is no program 'no-such-program': install GNU Backgammon
    """


class EngineTimeoutError(EngineError):
    """Raised when an engine does not answer in time."""


class EngineTerminatedError(EngineError):
    """Raised when an engine has ended: by itself, by `close`, or after an earlier error."""


class EngineReplyError(EngineError):
    """Raised when an answer cannot be read, or is not legal; the cause may be an `IllegalPlayError`."""


class EngineUnsupportedError(EngineError):
    """Raised before an engine is asked what it cannot be asked, or about rules that it does not know.

    The engine goes on.
    """


class BotError(GammonError):
    """Raised when a bot, a function that decides, raises an exception, is late, or says what is not legal.

    The message names the bot and the XGID of the state; what the bot itself raised is the cause, unless that comes from
    another process and cannot be pickled. In an arena it may be the start of an engine that failed.

    Examples:
        >>> issubclass(BotError, EngineError)
        False
    """
