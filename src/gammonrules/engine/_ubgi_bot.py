"""A bot behind UBGI: lines come in, and lines go out that answer them.

`docs/reference/ubgi.md` says what the lines mean, and `tests/data/ubgi-dialogues.jsonl` has whole dialogues.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext, suppress
from typing import BinaryIO, Final

import attrs

from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.complete_writes import without_short_writes
from gammonrules._shared.identifier_text import whole_field
from gammonrules.board import Play, Position
from gammonrules.dice import Dice
from gammonrules.engine._bots import Bot, legal_decision
from gammonrules.errors import ArgumentError, BotError, GammonError
from gammonrules.match import Action, Cube, Event, MatchState, Pair, Phase, Player
from gammonrules.rules import MONEY, Rules
from gammonrules.values import check_function, plain_text, shown

_MAX_LINE_LENGTH: Final = 4_096
_NAME: Final = re.compile(r"[^\s\x00-\x1f\x7f](?:[^\x00-\x1f\x7f]{0,98}[^\s\x00-\x1f\x7f])?")

_STDOUT: Final = 1
_STDERR: Final = 2
"""The numbers of the descriptors."""

_VARIANT: Final = "game.variant"
_KEY: Final = f"key {_VARIANT} enum backgammon backgammon"


class _RefusedError(Exception):
    """What is wrong with a line: a sentence, and the code of an error line."""

    def __init__(self, sentence: str, code: str = "internal") -> None:
        super().__init__(sentence)
        self.code = code


@attrs.frozen
class _UbgiCommand:
    """A command: a pattern for what follows its word, and what answers it."""

    syntax: str
    answer: Callable[..., list[str] | None]
    """It takes the groups of the pattern."""


class UbgiBot:
    """What a bot says to each line that it is sent.

    Attributes:
        is_over: whether it was told to quit.
    """

    def __init__(self, bot: Bot, name: str, author: str, rules: Rules | None) -> None:
        self.is_over = False
        self._bot = bot
        greeting = [f"id name {name}", f"id author {author}", "proto 0.2", _KEY, "ubgiok"]
        self._commands = {
            "ubgi": _UbgiCommand("", lambda: greeting),
            "isready": _UbgiCommand("", lambda: ["readyok"]),
            "keys": _UbgiCommand("", lambda: [_KEY]),
            "stop": _UbgiCommand("", lambda: None),  # it has answered already
            "quit": _UbgiCommand("", self._quit),
            "newgame": _UbgiCommand("", self._newgame),
            "get": _UbgiCommand(r"(\S+)", self._get),
            "set": _UbgiCommand(r"(\S+) (.+)", self._set),
            "position": _UbgiCommand(r"(gnubgid|xgid) (.+)", self._position),
            "dice": _UbgiCommand(r"(\S+) (\S+)", self._dice),
            "go": _UbgiCommand(r"(chequer|cube|turn)?", self._go),
        }
        self._rules = rules
        self._state: MatchState  # `_take_over` sets these two
        self._roll: Dice | None
        self._knows_position = False
        self._take_over(MatchState(Position.start(), Player.WHITE, rules=rules or MONEY))

    def answers(self, line: str) -> list[str]:
        """The lines that answer a line. Whatever is wrong with it, or with the bot, is one that says so."""
        try:
            return self._answers(line)
        except _RefusedError as refused:
            return [f"error {refused.code} {refused}"]
        except BotError as error:
            return [f"error internal {error}"]
        except (GammonError, Warning) as error:  # somebody may make errors of warnings
            return [f"error bad_value {error}"]

    def _answers(self, line: str) -> list[str]:
        if len(line) > _MAX_LINE_LENGTH:
            raise _RefusedError(
                f"the line has more than {_MAX_LINE_LENGTH:,} characters", "bad_command"
            )
        words = line.replace("\0", " ").split()
        if not words:
            return []
        word = words[0]
        command = self._commands.get(word)
        if command is None:
            raise _RefusedError(f"there is no command {shown(word, 60)}", "bad_command")
        arguments = re.fullmatch(command.syntax, " ".join(words[1:]))
        if arguments is None:
            raise _RefusedError(f"{shown(line, 60)} is not how {word} is written", "bad_command")
        return command.answer(*arguments.groups()) or []

    # Commands ---------------------------------------------------------------------------------------------------------

    def _quit(self) -> None:
        self.is_over = True

    def _get(self, key: str) -> list[str]:
        _check_option(key)
        return [f"value {_VARIANT} backgammon"]

    def _set(self, name: str, value: str) -> None:
        _check_option(name)
        if value != "backgammon":
            raise _RefusedError(f"{_VARIANT} is backgammon, not {shown(value, 60)}", "bad_value")

    def _newgame(self) -> None:
        self._take_over(attrs.evolve(self._state, cube=Cube(), offer=None, crawford=None))
        self._knows_position = False

    def _position(self, kind: str, text: str) -> None:
        if kind == "xgid":
            self._take_over(MatchState.from_xgid(text, self._rules))
        else:
            self._take_over(attrs.evolve(self._state, position=Position.from_id(text), offer=None))
        self._knows_position = True

    def _dice(self, first: str, second: str) -> None:
        faces = range(1, 7)
        self._roll = Dice.of(
            [whole_field("dice", first, faces), whole_field("dice", second, faces)]
        )

    def _take_over(self, state: MatchState) -> None:
        """Continue from a state. Its dice are stored apart, since a cube is turned before they are thrown."""
        if state.to_act is None:
            raise _RefusedError("nobody is to act there", "bad_value")
        self._roll = state.dice
        # there is no word for a beaver
        self._state = attrs.evolve(state, dice=None, rules=attrs.evolve(state.rules, beavers=0))

    # Decisions --------------------------------------------------------------------------------------------------------

    def _go(self, role: str | None) -> list[str]:
        if not self._knows_position:
            raise _RefusedError("there is no position", "bad_state")
        if self._state.phase is Phase.DOUBLED:
            raise _RefusedError("there is no word for a take", "unsupported")
        if role == "cube":
            return [f"bestcube {_doubling_word(self._doubles())}"]
        if self._roll is None:
            raise _RefusedError("there are no dice", "bad_state")
        if role == "turn":
            doubles = self._doubles()
            # the play is asked for as if a double is taken, since a drop ends the game
            state = self._state.double().take() if doubles else self._state
            play = self._play(state)
            return [f"bestturn cube={_doubling_word(doubles)} move={_single_moves(play)}"]
        # "go chequer", or "go" alone
        return [f"bestmove {_single_moves(self._play(self._state))}"]

    def _play(self, state: MatchState) -> Play:
        with_dice = attrs.evolve(state, dice=self._roll)
        decision, _ = legal_decision(self._bot, with_dice)
        if not isinstance(decision, Event) or decision.action is not Action.PLAY:
            raise _without_word(decision)
        played = decision.argument
        assert isinstance(played, Play | str | tuple)
        assert not isinstance(played, Pair)  # it was applied, so it is a play
        return with_dice.legal_plays.find(played)

    def _doubles(self) -> bool:
        if Action.DOUBLE not in self._state.legal_actions:
            return False
        decision, _ = legal_decision(self._bot, self._state)
        if decision is Action.ROLL:
            return False
        if isinstance(decision, Event) and decision.action is Action.DOUBLE:
            return True
        raise _without_word(decision)


def _doubling_word(doubles: bool) -> str:  # noqa: FBT001 - it is the question
    return "double" if doubles else "nodouble"


def _check_option(name: str) -> None:
    if name != _VARIANT:
        raise _RefusedError(f"there is no option {shown(name, 60)}", "unsupported")


def _without_word(decision: Event | Action) -> _RefusedError:
    action = decision.action if isinstance(decision, Event) else decision
    return _RefusedError(f"it decided {action}, for which UBGI has no word")


def _single_moves(play: Play) -> str:
    """A play with every move by itself, without stars."""
    return " ".join([str(move).rstrip("*") for move in play.moves]) or "pass"


def serve_ubgi(
    bot: Bot,
    *,
    name: str = "Bot",
    author: str = "unknown",
    input: BinaryIO | None = None,  # noqa: A002 - as print has a file
    output: BinaryIO | None = None,
    rules: Rules | None = None,
) -> None:
    r"""Let a bot answer programs that speak UBGI, the Universal Backgammon Interface, until they say `quit` or close.

    What the bot prints goes to standard error. An exception, an illegal decision or a resignation becomes an error
    line, and the dialogue goes on. The bot sees no beavers, and is not asked where there is no choice.

    Args:
        bot: the function that decides.
        name: the bot's name, up to 100 characters. Default "Bot".
        author: whose it is, up to 100 characters. Default "unknown".
        input: where the lines come from; None (the default) for standard input.
        output: where the answers go; None (the default) for standard output.
        rules: what the lines do not say; None (the default) means `TOURNAMENT` for a match and `MONEY` for money play.

    Raises:
        ArgumentError: a name is not a line of text, `bot` is not a function, or `rules` not `Rules`.

    Examples:
        >>> from io import BytesIO
        >>> from gammonrules import Action, Event
        >>> def bot(state):
        ...     return Event(Action.PLAY, state.to_act, state.legal_plays[0])
        >>> lines = b"position gnubgid 4HPwATDgc/ABMA\ndice 3 1\ngo chequer\n"
        >>> answers = BytesIO()
        >>> serve_ubgi(bot, input=BytesIO(lines), output=answers)
        >>> answers.getvalue()
        b'bestmove 24/21 24/23\n'
    """
    check_function("bot", bot)
    check_kind("rules", rules, Rules | None)
    for text in (name, author):
        if not _NAME.fullmatch(plain_text(text) or ""):
            raise ArgumentError(
                f"name and author must be a line of up to 100 characters, not {shown(text, 60)}"
            )
    dialogue = UbgiBot(bot, name, author, rules)
    source = sys.stdin.buffer if input is None else input
    sink = _standard_output() if output is None else nullcontext(without_short_writes(output))
    with sink as answers, suppress(BrokenPipeError):  # raised if the other program has ended
        for line in _lines(source):
            text = "".join([f"{answer}\n" for answer in dialogue.answers(line)])
            answers.write(text.encode("utf-8", "replace"))
            answers.flush()
            if dialogue.is_over:
                return


def _lines(stream: BinaryIO) -> Generator[str]:
    """The lines of a stream; of one that is too long, enough to see that."""
    while True:
        line = stream.readline(_MAX_LINE_LENGTH + len(b"\r\n"))
        if not line:
            return
        yield line.rstrip(b"\r\n").decode("ascii", "replace")  # so that bytes are characters
        rest = line
        while rest and not rest.endswith(b"\n"):  # the rest of a line that is too long is dropped
            rest = stream.readline(_MAX_LINE_LENGTH)


@contextmanager
def _standard_output() -> Generator[BinaryIO]:
    """Standard output for the answers alone: what is printed meanwhile goes to standard error."""
    sys.stdout.flush()
    with open(os.dup(_STDOUT), "wb", buffering=0) as answers:  # noqa: PTH123 - it is no path
        os.dup2(_STDERR, _STDOUT)  # what is printed now goes there
        try:
            yield without_short_writes(answers)
        finally:
            with suppress(ValueError):  # the bot may have closed it
                sys.stdout.flush()
            os.dup2(answers.fileno(), _STDOUT)  # as before
