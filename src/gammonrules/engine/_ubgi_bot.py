"""A bot behind UBGI: lines come in, and lines go out that answer them.

`docs/reference/ubgi.md` says what the lines mean, and `tests/data/ubgi-dialogues.jsonl` has whole dialogues.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext, suppress
from typing import BinaryIO, Final, cast

import attrs

from gammonrules._shared.identifier_text import whole_field
from gammonrules.board import Play, PlayLike, Position
from gammonrules.dice import Dice
from gammonrules.engine._bots import Bot, decided
from gammonrules.errors import ArgumentError, BotError, GammonError
from gammonrules.match import Action, Cube, MatchState, Phase, Player
from gammonrules.rules import MONEY, Rules
from gammonrules.values import check_function, check_kind, plain_text, shown

_LONGEST_LINE: Final = 4_096
_NAME: Final = re.compile(r"[^\s\x00-\x1f\x7f](?:[^\x00-\x1f\x7f]{0,98}[^\s\x00-\x1f\x7f])?")

_SYNTAX: Final = {
    **dict.fromkeys(("ubgi", "stop", "quit", "isready", "newgame", "keys"), ""),
    "position": r"(gnubgid|xgid) (.+)",
    "dice": r"(\S+) (\S+)",
    "set": r"(\S+) (.+)",
    "get": r"(\S+)",
    "go": r"(chequer|cube|turn)?",
}
"""The commands, with a pattern for what follows; each has a method of its name, or one answer."""

_VARIANT: Final = "game.variant"
_KEY: Final = f"key {_VARIANT} enum backgammon backgammon"


class _RefusedError(Exception):
    """Its arguments are the code of an error line and a sentence."""


class UbgiBot:
    """What a bot says to each line that it is sent.

    Attributes:
        is_over: whether it was told to quit.
    """

    def __init__(self, bot: Bot, name: str, author: str, rules: Rules | None) -> None:
        self.is_over = False
        self._bot = bot
        greeting = [f"id name {name}", f"id author {author}", "proto 0.2", _KEY, "ubgiok"]
        # when it is told to stop, it has answered already
        self._plain = {"ubgi": greeting, "isready": ["readyok"], "keys": [_KEY], "stop": []}
        self._rules = rules
        self._state: MatchState
        self._roll: Dice | None
        self._knows_position = False
        self._take_over(MatchState(Position.start(), Player.WHITE, rules=rules or MONEY))

    def answers(self, line: str) -> list[str]:
        """The lines that answer a line. Whatever is wrong with it, or with the bot, is one that says so."""
        try:
            return self._answers(line)
        except _RefusedError as refused:
            code, why = cast("tuple[str, str]", refused.args)
        except (GammonError, Warning) as error:  # somebody may make errors of warnings
            code = "internal" if isinstance(error, BotError) else "bad_value"
            why = str(error)
        return [f"error {code} {why}"]

    def _answers(self, line: str) -> list[str]:
        if len(line) > _LONGEST_LINE:
            raise _RefusedError(
                "bad_command", f"the line has more than {_LONGEST_LINE:,} characters"
            )
        word, *rest = line.replace("\0", " ").split() or [""]
        syntax = _SYNTAX.get(word)
        if not word:
            return []
        if syntax is None:
            raise _RefusedError("bad_command", f"there is no command {shown(word, 60)}")
        arguments = re.fullmatch(syntax, " ".join(rest))
        if arguments is None:
            raise _RefusedError("bad_command", f"{shown(line, 60)} is not how {word} is written")
        if word in self._plain:
            return self._plain[word]
        command: Callable[..., list[str] | None] = getattr(self, f"_{word}")
        return command(*arguments.groups()) or []

    # Commands ---------------------------------------------------------------------------------------------------------

    def _quit(self) -> None:
        self.is_over = True

    def _get(self, key: str) -> list[str]:
        self._set(key, "backgammon")
        return [f"value {_VARIANT} backgammon"]

    def _set(self, name: str, value: str) -> None:
        if name != _VARIANT:
            raise _RefusedError("unsupported", f"there is no option {shown(name, 60)}")
        if value != "backgammon":
            raise _RefusedError("bad_value", f"{_VARIANT} is backgammon, not {shown(value, 60)}")

    def _newgame(self) -> None:
        self._take_over(attrs.evolve(self._state, cube=Cube(), offer=None, crawford=None))
        self._knows_position = False

    def _position(self, kind: str, text: str) -> None:
        if kind == "xgid":
            self._take_over(MatchState.from_xgid(text, self._rules))
        else:
            self._take_over(attrs.evolve(self._state, position=Position.from_id(text), offer=None))
        self._knows_position = True

    def _dice(self, *faces: str) -> None:
        self._roll = Dice.of([whole_field("dice", face, range(1, 7)) for face in faces])

    def _take_over(self, state: MatchState) -> None:
        """Continue from a state. Its dice are stored apart, since a cube is turned before they are thrown."""
        if state.to_act is None:
            raise _RefusedError("bad_value", "nobody is to act there")
        self._roll = state.dice
        # there is no word for a beaver
        self._state = attrs.evolve(state, dice=None, rules=attrs.evolve(state.rules, beavers=0))

    # Decisions --------------------------------------------------------------------------------------------------------

    def _go(self, role: str | None) -> list[str]:
        if not self._knows_position:
            raise _RefusedError("bad_state", "there is no position")
        if self._state.phase is Phase.DOUBLED:
            raise _RefusedError("unsupported", "there is no word for a take")
        if role == "cube":
            return [f"bestcube {'double' if self._doubles() else 'nodouble'}"]
        if self._roll is None:
            raise _RefusedError("bad_state", "there are no dice")
        if role != "turn":
            return [f"bestmove {_single_moves(self._play(self._state)) or 'pass'}"]
        doubles = self._doubles()
        play = self._play(self._state.double().take() if doubles else self._state)
        return [
            f"bestturn cube={'double' if doubles else 'nodouble'} move={_single_moves(play) or 'pass'}"
        ]

    def _play(self, state: MatchState) -> Play:
        state = attrs.evolve(state, dice=self._roll)
        return state.legal_plays.find(cast("PlayLike", self._decide(state, Action.PLAY)[1]))

    def _doubles(self) -> bool:
        if Action.DOUBLE not in self._state.legal_actions:
            return False
        return self._decide(self._state, Action.ROLL, Action.DOUBLE)[0] is Action.DOUBLE

    def _decide(self, state: MatchState, *sayable: Action) -> tuple[Action, object]:
        answer, _ = decided(self._bot, state)
        action, argument = (
            (answer, None) if isinstance(answer, Action) else (answer.action, answer.argument)
        )
        if action not in sayable:
            raise _RefusedError("internal", f"it decided {action}, for which UBGI has no word")
        return action, argument


def _single_moves(play: Play) -> str:
    """A play with every move by itself, without stars."""
    return " ".join(str(move).rstrip("*") for move in play.moves)


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
        author: whose it is, up to 100 characters. Default "bad_command".
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
    with (
        _standard_output() if output is None else nullcontext(output) as answers,
        suppress(BrokenPipeError),
    ):
        for line in _lines(sys.stdin.buffer if input is None else input):
            answers.write(
                "".join(f"{answer}\n" for answer in dialogue.answers(line)).encode(
                    "utf-8", "replace"
                )
            )
            answers.flush()
            if dialogue.is_over:
                return


def _lines(stream: BinaryIO) -> Generator[str]:
    """The lines of a stream; of one that is too long, enough to see that."""
    while raw := stream.readline(_LONGEST_LINE + 2):
        yield raw.rstrip(b"\r\n").decode("ascii", "replace")  # so that bytes are characters
        while raw and not raw.endswith(b"\n"):
            raw = stream.readline(_LONGEST_LINE)


@contextmanager
def _standard_output() -> Generator[BinaryIO]:
    """Standard output for the answers alone: what is printed meanwhile goes to standard error."""
    sys.stdout.flush()
    with open(os.dup(1), "wb", buffering=0) as answers:  # noqa: PTH123 - it is no path
        os.dup2(2, 1)
        try:
            yield answers
        finally:
            with suppress(ValueError):  # the bot may have closed it
                sys.stdout.flush()
            os.dup2(answers.fileno(), 1)
