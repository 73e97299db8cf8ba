"""The answers of a bot to GNU Backgammon, as its player `external`: a state comes in, a decision goes out, in lines."""

from __future__ import annotations

import logging
from typing import Final

import attrs

from gammonrules.board import Play, Win
from gammonrules.engine._bots import Bot, legal_decision
from gammonrules.errors import BotError
from gammonrules.identifiers import read
from gammonrules.match import Action, MatchState, Pair
from gammonrules.rules import MONEY, Rules
from gammonrules.values import printable

MAX_REPLY_SIZE: Final = 254
_MONEY_WITHOUT_BEAVERS: Final = attrs.evolve(MONEY, beavers=0)
_LETTERS: Final = {Win.SINGLE: "n", Win.GAMMON: "g", Win.BACKGAMMON: "b"}
"""The wins as it abbreviates them."""
_LOG: Final = logging.getLogger("gammonrules.engine")


class GnubgBot:
    """A bot that answers the lines of one connection."""

    def __init__(self, bot: Bot, rules: Rules | None) -> None:
        self._bot = bot
        self._rules = rules
        self._turn: MatchState | None = None
        """The state in which the bot was asked last, without its dice."""
        self._offered = 0
        """How much the bot has offered to resign in this turn."""

    def reply(self, line: str) -> str:
        """The answer to a line, which is an error line where something is wrong. Nothing raises.

        Without an answer, GNU Backgammon would wait for ever.
        """
        try:
            return self._decision(line)
        except BotError as error:
            _LOG.exception("bot: %s", error)
            return error_line(f"bot: {error}")
        except Exception as error:  # noqa: BLE001 - warnings too, where a filter raises them
            _LOG.warning("%s", error)
            return error_line(str(error))

    def _decision(self, line: str) -> str:
        state = read(line, self._rules, form="bot_line")
        if self._rules is None and state.length is None:
            # only the line says that it is money play, whose usual rules have beavers
            state = read(line, _MONEY_WITHOUT_BEAVERS, form="bot_line")
        turn = attrs.evolve(state, dice=None)
        if turn != self._turn:
            self._turn = turn
            self._offered = 0
        decision, _ = legal_decision(self._bot, state)
        if isinstance(decision, Action):
            return decision
        action = decision.action
        double = state.pending_double
        answers_beaver = double is not None and double.beavers > 0
        if answers_beaver and action in {Action.TAKE, Action.BEAVER}:
            raise BotError(
                f"it decided {action}, but GNU Backgammon lets nobody take its beaver: set beavers 0"
            )
        argument = decision.argument
        if action is Action.PLAY:
            assert isinstance(argument, Play | str | tuple)
            assert not isinstance(argument, Pair)  # it was applied, so it is a play
            return _moves_in_numbers(state.legal_plays.find(argument))
        if action is Action.RESIGN:
            assert isinstance(argument, Win)
            return self._resignation(state, argument)
        return action

    def _resignation(self, state: MatchState, win: Win) -> str:
        if state.pending_double is not None:
            if win is Win.SINGLE:
                return "drop"  # which loses as much
            raise BotError(
                "it resigned more than a drop loses, of which GNU Backgammon cannot be told"
            )
        if win > self._offered:
            self._offered = win
            return f"resign {_LETTERS[win]}"
        # as much was declined in this turn, and GNU Backgammon would stop if it were offered again
        return "roll" if state.dice is None else _moves_in_numbers(state.legal_plays[0])


def error_line(sentence: str) -> str:
    """A sentence as an answer: printable ASCII, and not too long."""
    text = sentence.encode("ascii", "backslashreplace").decode("ascii")
    return f"Error: {printable(text)}"[:MAX_REPLY_SIZE]


def _moves_in_numbers(play: Play) -> str:
    """In numbers, each die by itself."""
    return " ".join(f"{move.from_point}/{move.to_point}" for move in play.moves)
