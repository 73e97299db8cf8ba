"""GNU Backgammon as an engine, over the socket of its `external` player.

It answers one line at a time: a board with the decision that it would make there, or six numbers that evaluate a board
before the roll. So plays are compared by evaluating what they lead to, and a cube by evaluating it before and after a
double that is taken.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final, TypeVar

import attrs

from gammonrules._shared.forks import call_in_forks
from gammonrules._shared.work import Deadline, deadline_in, in_a_line, seconds_left
from gammonrules.analysis import Candidate, Chances, CubeAnalysis
from gammonrules.analysis.internals import fit_together, ply_level
from gammonrules.board import Play, Position
from gammonrules.dice import ROLLS, Dice
from gammonrules.engine._driver import FIRST_LOOK, Driver, start_errors
from gammonrules.engine._evaluation import (
    Evaluation,
    are_bearing_off,
    candidate_from,
    equity_at,
    equity_in_units_of,
    equity_of,
    evaluation_of_end,
    player_on_roll,
    without_cube,
)
from gammonrules.engine._gnubg_terminal import GnubgProgram, GnubgTerminal
from gammonrules.engine._rule_support import jacoby_as_match, unknown_rules, without_crawford
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.errors import EngineStartError, EngineTerminatedError, EngineUnsupportedError
from gammonrules.identifiers.internals import MAX_GNUBG_MATCH_LENGTH, gnubg_line
from gammonrules.match import Action, MatchState, Player
from gammonrules.values import one_of, shown

_Meaning = TypeVar("_Meaning")

MAX_PLIES: Final = 4
_MAX_REPLY_SIZE: Final = 4_096
_SECONDS_TO_START: Final = 20
_TRIES: Final = 5
_LINES_OF_VERSION: Final = 4
_CLOSE: Final = 0.16
"""Only plays this close to the best one, by the first look, are looked at more deeply."""
_NUMBERS = re.compile(r"(-?\d\.\d{1,16} ?){6}")
_ROUNDING: Final = 1e-5
"""How much the numbers of two lines may differ by their six digits."""
_NOT_EVALUATED: Final = "expected five chances and an equity"
_DECISIONS: Final = "chequerplay", "cubedecision"
_MAX_IN_TABLE: Final = 6
"""Checkers of a side in GNU Backgammon's own table of bear-offs in money play."""
_STRAYING: Final = 0.1
"""How much they may differ from 1-ply, by the plays that are made on the way."""


class Gnubg(Driver):
    name = "gnubg"

    def __init__(
        self, plies: int, noise: float, program: str | None, timeout: float | None
    ) -> None:
        self.plies = plies
        self.level = ply_level(plies)
        self.timeout = timeout
        self._noise = noise
        self.plays_by_0_ply = plies == 0 and noise == 0
        """Whether the play that it chooses itself is the best one by the first look."""
        self._path = program
        self._socket: socket.socket | None = None
        self._terminal: GnubgTerminal | None = None
        self._home: tempfile.TemporaryDirectory[str] | None = None
        self._killed = False
        self._counts_cube = True
        """Whether its choice of plays is set to count the cube."""

    def start(self) -> None:
        self.deadline = deadline_in(_SECONDS_TO_START)
        self._run()
        call_in_forks(self, Gnubg._give_up_connection)

    def _give_up_connection(self) -> None:
        """In a fork, close the copy of the connection: it is that of the parent."""
        if self._socket is not None:
            self._socket.close()

    def _run(self) -> None:
        path = _path_of(self._path)
        with start_errors(self.name):
            for attempt in range(1, _TRIES + 1):
                try:
                    self._connect(path)
                    break
                except EngineTerminatedError:  # perhaps another program was faster to take the port
                    self.close()
                    if attempt == _TRIES or self._killed:
                        raise
            lines = self._ask("version", lines=_LINES_OF_VERSION)
            version = lines[-1].removeprefix("Software: ")
            self.name = f"GNU Backgammon {in_a_line(version)}"
            if self._program is not None:
                self._program.forget()  # what it says while it starts explains no later error

    def _connect(self, path: str) -> None:
        with socket.socket() as free:  # any port that is free
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._home = tempfile.TemporaryDirectory(prefix="gammonrules-")
        self._program = GnubgProgram(path, _environment(self._home.name))
        if self._killed:  # while this program was not there to be killed
            self._program.kill()
        self._program.write(_commands(self.plies, self._noise, port, counts_cube=self._counts_cube))
        self._program.close_input()  # so that it ends instead of waiting for more, if it cannot listen
        self._program.until("Waiting for a connection", deadline=self.deadline)
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_wait(self.deadline))
        # the program has read what it needs there; if this process is killed later, no folder is left
        self._home.cleanup()

    def why_not(self, state: MatchState) -> str | None:
        if state.length is not None and state.length > MAX_GNUBG_MATCH_LENGTH:
            return f"matches in which a player needs more than {MAX_GNUBG_MATCH_LENGTH} points"
        return unknown_rules(state)

    def kill(self) -> None:
        self._killed = True
        # taken once, since `close` may set the attributes to None in another thread
        connection = self._socket
        program = self._program
        terminal = self._terminal
        if program is not None:
            program.kill()
        if terminal is not None:
            terminal.kill()
        if connection is not None:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        for program in (self._program, self._terminal):
            if program is not None:
                program.kill()  # it does not end by itself
                program.close()
        if self._home is not None:
            self._home.cleanup()
        self._socket = None
        self._program = None
        self._terminal = None
        self._home = None

    def _ask(self, line: str, lines: int = 1) -> list[str]:
        """Send a line and wait for an answer of so many lines."""
        program = self._program
        assert program is not None  # it was started
        if self._socket is None:
            raise program.ended()
        reply = b""
        try:
            # what has come before the question would be taken for its answer
            self._socket.settimeout(0)
            with suppress(BlockingIOError):  # raised if nothing is there, as it should be
                unasked = self._socket.recv(_MAX_REPLY_SIZE)
                if unasked:
                    raise self.wrong(unasked.decode("latin-1"), "it was not asked yet")
            self._socket.settimeout(_wait(self.deadline))
            self._socket.sendall(line.encode("ascii") + b"\n")
            while reply.count(b"\n") < lines:
                self._socket.settimeout(_wait(self.deadline))
                received = self._socket.recv(_MAX_REPLY_SIZE)
                if not received:
                    raise program.ended()
                reply += received
                if len(reply) > _MAX_REPLY_SIZE:
                    raise self.wrong(reply.decode("latin-1"), "expected a line")
        except OSError as error:
            if self.deadline is not None and isinstance(error, TimeoutError):
                raise program.late(self.deadline) from None
            raise program.ended() from None
        answers = reply.decode("latin-1").splitlines()
        if answers[0].startswith("Error") or len(answers) != lines:
            raise self.wrong("\n".join(answers), f"asked {shown(line, 300)}")
        return answers

    def analyze_sgf(self, state: MatchState, sgf: str) -> str:
        self._must_know(state)
        # it gets files as POSIX has them, and counts a cube
        if os.name != "posix" or not state.rules.cube:
            return super().analyze_sgf(state, sgf)
        return self.at_prompt(_settings_of_socket(self.plies), sgf, ["analyse match"])

    def at_prompt(self, settings: Iterable[str], sgf: str, commands: Iterable[str]) -> str:
        """A record with the analysis that these commands make at the prompt of a second process."""
        if self._terminal is None:
            with tempfile.TemporaryDirectory(prefix="gammonrules-") as home:
                self._terminal = GnubgTerminal(_path_of(self._path), _environment(home))
                if self._killed:  # while this process was not there to be killed
                    self._terminal.kill()
                self._terminal.set_up(settings, self.deadline)
        return self._terminal.analyzed(sgf, commands, self.deadline)

    # Its decisions ----------------------------------------------------------------------------------------------------

    def play(self, state: MatchState) -> Play | str:
        """Whether plays count the cube is set at the start of the program, which takes 0.13 seconds."""
        if state.rules.cube is not self._counts_cube:
            self.close()
            self._counts_cube = state.rules.cube
            self._run()
        return self._ask(gnubg_line(jacoby_as_match(state)))[0]

    def doubles(self, state: MatchState) -> bool:
        return self._meaning_of_answer(state, roll=False, double=True)

    def answer(self, state: MatchState) -> Action:
        return self._meaning_of_answer(
            state, take=Action.TAKE, drop=Action.DROP, beaver=Action.BEAVER
        )

    def _meaning_of_answer(self, state: MatchState, **meanings: _Meaning) -> _Meaning:
        """Ask about a state, and give the meaning of the answer, which must be one of these words."""
        reply = self._ask(gnubg_line(state))[0].strip()
        if reply not in meanings:
            raise self.wrong(reply, f"expected {one_of([*meanings])}")
        return meanings[reply]

    # Its numbers ------------------------------------------------------------------------------------------------------

    def evaluate(self, state: MatchState) -> Evaluation:
        return self._evaluate(state, self.plies)

    def _must_know(self, state: MatchState) -> None:
        """Raise EngineUnsupportedError where there are no numbers."""
        if state.length is not None:
            has_score = KAZAROSS_XG2.to_equity(0, state, Player.WHITE) is not None
            if not has_score:
                raise EngineUnsupportedError(
                    f"{self.name}: no match equity table gives what this score is worth"
                )
        why_not = without_crawford(state)
        if why_not is not None:
            raise EngineUnsupportedError(f"{self.name}: it gives no numbers of {why_not}")

    def _evaluate(self, state: MatchState, plies: int) -> Evaluation:
        self._must_know(state)
        line = gnubg_line(jacoby_as_match(state))
        cube = "ON" if state.rules.cube else "OFF"
        reply = self._ask(f"evaluation fibsboard {line} PLIES {plies} CUBE {cube} PRUNE ON")[0]
        chances, worth = self._chances_and_worth(reply)
        level = ply_level(plies)
        if not state.rules.cube:
            return without_cube(chances, state, level)
        # the last number is an equity in money play, and a chance of winning the match in matches
        is_money = state.length is None
        minimum = -3 if is_money else 0
        maximum = 3 if is_money else 1
        if not minimum - _ROUNDING <= worth <= maximum + _ROUNDING:
            raise self.wrong(reply, f"{worth:g} is not from {minimum} to {maximum}")
        if is_money:
            return Evaluation(chances, worth, level=level)
        mwc = _cut_to_chance(worth)
        return Evaluation(
            chances, equity_at(mwc, state, player_on_roll(state)), mwc=mwc, level=level
        )

    def _chances_and_worth(self, reply: str) -> tuple[Chances, float]:
        """The five chances of a reply, and its last number. Raises EngineReplyError."""
        if not _NUMBERS.fullmatch(reply):
            raise self.wrong(reply, _NOT_EVALUATED)
        *five, worth = [float(number) for number in reply.split()]
        if min(five) < -_ROUNDING or not fit_together(five, _ROUNDING):
            raise self.wrong(reply, _NOT_EVALUATED)
        # rounded, a chance may be a little below 0 or above 1
        win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = map(_cut_to_chance, five)
        return Chances(win, win_gammon, win_backgammon, lose_gammon, lose_backgammon), worth

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        """All plays, by evaluations of what they lead to: first at 0-ply, then the close ones at the level itself.

        Close are those of the best eight that are within 0.16 of the best, and those in `also`. The others follow with
        their 0-ply numbers.
        """
        plays = state.legal_plays
        at_0_ply = sorted(self._compared(state, plays, 0), key=equity_of, reverse=True)
        if self.plies == 0:
            return at_0_ply
        close = close_to_best(at_0_ply, also, FIRST_LOOK)
        others = [play for play in at_0_ply if play not in close]
        close_plays = [plays.find(play.position) for play in close]
        deeper = self._compared(state, close_plays, self.plies)
        return sorted(deeper, key=equity_of, reverse=True) + others

    def _compared(self, state: MatchState, plays: Sequence[Play], plies: int) -> list[Candidate]:
        """Plays with what they are worth, by the evaluation of the states after them."""
        return [candidate_from(play, self._after(state, state.play(play), plies)) for play in plays]

    def _after(self, state: MatchState, later: MatchState, plies: int) -> Evaluation:
        if later.result is None:
            return self._evaluate(later, plies).flip()
        player = player_on_roll(state)
        return evaluation_of_end(later, before=state, player=player, level=ply_level(plies))

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:  # noqa: ARG002 - for tiers
        """The equities of doubling, from evaluations before and after it.

        An evaluation before it includes the right to double: its equity is that of doubling or of no double, whichever
        is better.
        """
        player = player_on_roll(state)
        after_take = state.double().take()
        now = self.evaluate(state)
        taken = self.evaluate(after_take)
        double_take = equity_in_units_of(state, player, evaluation=taken, later=after_take)
        double_drop = 1.0
        doubling = min(double_take, double_drop)
        tolerance = _ROUNDING if self.plies == 0 else _STRAYING
        no_double = now.equity
        no_double_mwc = now.mwc
        if doubling >= now.equity - tolerance:
            # then `now` may be the equity of doubling, and that of no double is to be found another way
            no_double = min(now.equity, self._no_double(state, now.chances))
            no_double_mwc = KAZAROSS_XG2.to_chance(no_double, state, player)
        mwc = None
        if no_double_mwc is not None:
            mwc_after_drop = KAZAROSS_XG2.chance_after(state, player, state.cube.value)
            mwc = _cut_to_chance(no_double_mwc), taken.mwc, mwc_after_drop
        return CubeAnalysis(
            no_double,
            double_take=double_take,
            double_drop=double_drop,
            chances=now.chances,
            chances_double_take=None,
            level=self.level,
            standard_errors=None,
            mwc=mwc,
            engine=self.name,
        )

    def _no_double(self, state: MatchState, chances: Chances) -> float:
        """The equity of rolling without doubling where to double is better.

        Above 0-ply it is the mean of what the 21 rolls lead to; at 0-ply it follows from the chances by Janowski's
        formula. But there GNU Backgammon looks the last checkers up in a table of money play. In a match the cube is
        then as useful as it is by that table, but no more than in other races.
        """
        if self.plies > 0:
            return self._mean_of_rolls(state)
        position = state.position
        most_left = position.checkers - min(position.off, position.opponent_off)
        is_in_its_table = most_left <= _MAX_IN_TABLE and are_bearing_off(position)
        if not is_in_its_table:
            return _janowski(chances, state, _efficiency(state))
        money = attrs.evolve(state, length=None, score=(0, 0), crawford=False)
        money_equity = self._mean_of_rolls(money)
        if state.length is None:
            return money_equity
        # Janowski: an equity lies between those of a dead and of a live cube as far as the cube is useful
        dead = _janowski(chances, money, efficiency=0)
        live = _janowski(chances, money, efficiency=1)
        efficiency = 0.0
        if live != dead:
            efficiency = max(0.0, (money_equity - dead) / (live - dead))
        return _janowski(chances, state, min(_efficiency(state), efficiency))

    def _mean_of_rolls(self, state: MatchState) -> float:
        """The mean worth of the 36 throws, if the best plays by the first look are made, one ply less deep."""
        plies = max(0, self.plies - 1)
        return sum(dice.weight * self._after_best(state.roll(dice), plies) for dice in ROLLS) / 36

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        return {dice: self._after_best(state.roll(dice), 0) for dice in ROLLS}

    def _after_best(self, state: MatchState, plies: int) -> float:
        """The worth of a roll if the best play by the first look is made."""
        plays = state.legal_plays
        if len(plays) == 1:
            best = plays[0]
        elif self.plays_by_0_ply:  # one question, where it compares the plays itself
            best = self.legal_play(state)
        else:
            candidate_of_best = max(self._compared(state, plays, 0), key=equity_of)
            best = plays.find(candidate_of_best.position)
        return self._after(state, state.play(best), plies).equity


def close_to_best(
    plays: Sequence[Candidate], also: Collection[Position], limit: int
) -> list[Candidate]:
    """The best plays, if they are within 0.16 of the best one, and those that lead to the positions `also`."""
    best = equity_of(plays[0])
    positions = {*also}
    positions.update(play.position for play in plays[:limit] if equity_of(play) >= best - _CLOSE)
    return [play for play in plays if play.position in positions]


def _janowski(chances: Chances, state: MatchState, efficiency: float) -> float:
    equity = KAZAROSS_XG2.equity_from(chances, state, efficiency=efficiency)
    assert equity is not None  # the score is in the table
    return equity


def _cut_to_chance(chance: float) -> float:
    return min(1.0, max(0.0, chance))


def _efficiency(state: MatchState) -> float:
    """The efficiency of the cube by GNU Backgammon: 0.68 with contact, and less in races that are nearly over.

    Where both need two points it counts the cube as dead, which the first double makes it.
    """
    position = state.position
    if state.away == (2, 2) and state.cube.value == 1:
        return 0
    if not position.is_race:
        return 0.68
    if are_bearing_off(position):
        return 0.6
    # of more use in a longer race, from 0.6 at 40 pips to 0.7 at 120
    return min(0.7, max(0.6, 0.00125 * position.pip_count + 0.55))


def _wait(deadline: Deadline | None) -> float | None:
    """The seconds left for a socket, for which 0 would mean not to wait at all."""
    left = seconds_left(deadline)
    return None if left is None else max(left, 1e-3)


def _environment(home: str) -> dict[str, str]:
    return {"HOME": home, "LC_ALL": "C", "LANGUAGE": ""}


def _commands(plies: int, noise: float, port: int, *, counts_cube: bool) -> str:
    lines = ["set threads 1", "set beavers 3"]
    for decision in _DECISIONS:
        lines.append(f"set evaluation {decision} evaluation plies {plies}")
        lines.append(f"set evaluation {decision} evaluation noise {noise:.6f}")
    if not counts_cube:
        lines.append("set evaluation chequerplay evaluation cubeful off")
    lines.append(f"external 127.0.0.1:{port}")
    return "\n".join(lines)


def _settings_of_socket(plies: int) -> list[str]:
    """Settings by which it analyzes as the socket answers, so that numbers are the same; luck is of 0-ply in both."""
    settings = f"plies {plies}", "noise 0", "cubeful on", "prune on"
    lines: list[str] = []
    for decision in _DECISIONS:
        lines += [f"set analysis {decision} evaluation {setting}" for setting in settings]
    return [*lines, "set analysis luckanalysis plies 0"]


def _path_of(program: str | None) -> str:
    """Raises EngineStartError if there is no such program."""
    names = ("gnubg", "gnubg-cli", "/usr/games/gnubg") if program is None else (program,)
    for name in names:
        path = shutil.which(name)
        if path is not None:
            return path
    raise EngineStartError(
        f"gnubg: there is no program {shown(program or 'gnubg', 60)}: install GNU Backgammon"
    )
