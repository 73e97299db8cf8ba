"""bgsage, the engine of Open Sage, in this process."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from math import inf
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import attrs

from gammonrules._shared.engine_levels import CLOSE_DOUBLE
from gammonrules._shared.extras import missing
from gammonrules.analysis import Candidate, Chances, CubeAnalysis, Level
from gammonrules.analysis.internals import level_of_text, ply_level
from gammonrules.board import Play, Position
from gammonrules.dice import Dice
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import (
    Evaluation,
    candidate_from,
    equity_before_double,
    equity_in_units_of,
    evaluation_of_end,
    margin_of_cube,
    player_on_roll,
    without_cube,
)
from gammonrules.engine._rollout import Rollout, level_of_rollout, trials_at_once
from gammonrules.engine._rule_support import jacoby_as_match, unknown_rules, without_crawford
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.errors import EngineReplyError, EngineStartError
from gammonrules.match import Action, MatchState, Player
from gammonrules.values import error_text, shown

MAX_LEVEL: Final = 4
_FARTHEST_AWAY: Final = 25
"""Its match equity table ends there."""
_ONE_PLY: Final = ply_level(1)
_DROPPED: Final = 1.0
"""The equity of a double that is dropped: the points on the cube, in which equity is measured."""


def installed() -> str:
    """The name and the version of bgsage; "" if it is not installed."""
    with suppress(PackageNotFoundError):
        return f"bgsage {version('bgsage')[:40]}"
    return ""


_processes: Final = set[int]()
"""The processes in which it has run: this one, and those that this one is a fork of."""


def is_lost_by_fork() -> bool:
    """Whether it has run in a process of which this one is a fork: then its threads are not here, and it may hang."""
    return bool(_processes - {os.getpid()})


def name_at_level(name: str, level: int) -> str:
    """The name of bgsage at this level, or of tiers that begin there. `name` is the name without a level.

    At 1-ply the equities of plays are not bgsage's own (`Bgsage.judge`), so they must not mix with these.
    """
    return f"{name}+doubles" if name and level == 1 else name


@attrs.frozen
class _ComparedPlay:
    """A play, and the move as bgsage evaluates it."""

    play: Play
    move: Any


@attrs.frozen
class _RankedPlay:
    """A play, what it is worth, and its equity if the opponent rolls without a double."""

    play: Play
    worth: Evaluation
    undoubled: float


_rank_of_play = attrgetter("worth.equity", "undoubled")
"""After all plays of equal worth the opponent may double out. Then the best is best if the opponent does not."""


class Bgsage(Driver):
    """The engine of the package bgsage. Its N-ply is the (N-1)-ply of GNU Backgammon."""

    name = "bgsage"
    is_ours = True

    def __init__(self, level: int, rollout: Rollout | None = None) -> None:
        self._rollout = rollout
        self._is_static = level == 1 and rollout is None
        """Whether it judges boards as they are, without looking ahead."""
        self._settings: dict[str, Any]
        if rollout is None:
            self.level = ply_level(level)
            self._settings = {"eval_level": f"{level}ply"}
        else:
            self.level = level_of_rollout(rollout, level)
            self._settings = {
                "eval_level": "rollout",
                "decision_ply": level,
                "filter_max_moves": rollout.plays,
                "n_trials": trials_at_once(rollout),
                "truncation_depth": rollout.truncate,
                "seed": rollout.seed,
            }
        self._analyzer: Any = None
        self._one_ply: Bgsage | None = None
        """Evaluates rolls for luck, which is measured at 1-ply, and plays that are not rolled out."""

    def start(self) -> None:
        if _lacks_avx2():  # then the first question would end this process
            raise EngineStartError(
                "bgsage: this processor has no AVX2 instructions, which it needs"
            )
        try:
            bgsage = import_module("bgsage")
            _processes.add(os.getpid())
            self._analyzer = bgsage.BgBotAnalyzer(**self._settings, parallel_threads=1)
            self.name = name_at_level(installed(), level=1) if self._is_static else installed()
        except Exception as error:
            why = missing("this engine", "bgsage 2.0 or later", "engine")
            raise EngineStartError(f"bgsage: {why} ({shown(error_text(error), 100)})") from error

    def reseed(self, seed: int) -> None:
        self._analyzer.set_seed(seed)

    def why_not(self, state: MatchState) -> str | None:
        if self._rollout and not state.rules.cube:
            return "rollouts without a cube"
        if max(state.away or (0, 0)) > _FARTHEST_AWAY:
            return f"matches in which a player needs more than {_FARTHEST_AWAY} points"
        return without_crawford(state) or unknown_rules(state)

    def close(self) -> None:
        self._analyzer = None
        self._one_ply = None

    def _ask(self, method: str, *arguments: Any, **options: Any) -> Any:
        try:
            return getattr(self._analyzer, method)(*arguments, **options)
        except Exception as error:
            raise EngineReplyError(
                f"{self.name}: {method} failed: {shown(error_text(error), 200)}"
            ) from error

    def evaluate(self, state: MatchState) -> Evaluation:
        if Action.DOUBLE not in state.legal_actions:
            return self.rolling(state)
        cube = self.cube_analysis(state)
        assert cube.chances is not None  # `cube` gives all the numbers
        return _evaluation(state, cube.chances, equity_before_double(cube), level=cube.level)

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:  # noqa: ARG002 - for tiers
        standard_errors = None
        if self._is_static:  # `rolling` is much faster than `cube_action` then
            rolling = self.rolling(state)
            double_take = self._double_take(state)
        else:
            cube_action = self._cube_action(state)
            rolling = self._rolling_by(cube_action, state)
            double_take = cube_action.equity_dt
            if self._rollout is not None:
                standard_errors = (rolling.standard_error, cube_action.equity_dt_se)
        mwc = None
        mwc_after_drop = _mwc(_DROPPED, state)
        if mwc_after_drop is not None:
            mwc = (rolling.mwc, _mwc(double_take, state), mwc_after_drop)
        return CubeAnalysis(
            rolling.equity,
            double_take=double_take,
            double_drop=_DROPPED,
            chances=rolling.chances,
            chances_double_take=None,
            level=self.level,
            standard_errors=standard_errors,
            mwc=mwc,
            engine=self.name,
        )

    def rolling(self, state: MatchState) -> Evaluation:
        """With a cube and above 1-ply the answer of `cube_action`, else the evaluation of the opponent's last play.

        That is faster, since bgsage does not load its weights again: at 1-ply hundreds of times, with the same
        numbers. Above it, without a cube, it is five times as fast. The numbers differ by up to 0.01, since other plays
        are made on the way, and are as good.
        """
        if not self._is_static and state.rules.cube:
            return self._rolling_by(self._cube_action(state), state)
        # the board after a play is evaluated for the player who has made it: here the opponent
        opponent = player_on_roll(state).opponent
        analytics = self._ask(
            "post_move_analytics",
            _signed_board(state.position.flip()),
            **_cube_and_score(state, opponent),
        )
        chances_of_opponent = _chances_from(analytics.probs)
        return _evaluation(
            state,
            chances=chances_of_opponent.flip(),
            equity=-analytics.cubeful_equity,
            level=self.level,
        )

    def _rolling_by(self, cube_action: Any, state: MatchState) -> Evaluation:
        return _evaluation(
            state,
            chances=_chances_from(cube_action.probs),
            equity=cube_action.equity_nd,
            level=self.level,
            error=cube_action.equity_nd_se,
        )

    def _cube_action(self, state: MatchState) -> Any:
        """Without beavers, since of a double that is beavered it does not say what a take is worth."""
        table = _cube_and_score(state, player_on_roll(state))
        return self._ask("cube_action", _signed_board(state.position), beaver=False, **table)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        """Above 1-ply all are from one call, since the numbers of several calls do not compare."""
        if self._is_static:
            return self.judge(state, state.legal_plays)
        deeper = list[Candidate]()
        at_1_ply = list[Play]()
        for compared in self._compared(state, also):
            worth = _evaluation_after(compared.move, state)
            if worth.level == _ONE_PLY:
                at_1_ply.append(compared.play)
            else:
                deeper.append(candidate_from(compared.play, worth))
        return deeper + (self._at_1_ply().judge(state, at_1_ply) if at_1_ply else [])

    def judge(self, state: MatchState, plays: Sequence[Play]) -> list[Candidate]:
        """The plays, best first, each with the worth of the state that it leads to.

        bgsage's own equities of plays do not count the opponent's double at 1-ply; above it they do.
        """
        judged = list[_RankedPlay]()
        for play in plays:
            rolling = self._evaluate_undoubled(state, play)
            worth = self._count_double(state, play, rolling)
            judged.append(_RankedPlay(play, worth, undoubled=rolling.equity))
        judged.sort(key=_rank_of_play, reverse=True)
        return [candidate_from(each.play, each.worth) for each in judged]

    def _evaluate_undoubled(self, state: MatchState, play: Play) -> Evaluation:
        """What a play is worth if the opponent then rolls without a double."""
        after = state.play(play)
        if after.result is None:
            return self.rolling(after).flip()
        player = player_on_roll(state)
        return evaluation_of_end(after, before=state, player=player, level=self.level)

    def _count_double(self, state: MatchState, play: Play, rolling: Evaluation) -> Evaluation:
        """What a play is worth if the opponent then doubles where that is better for them."""
        after = state.play(play)
        if Action.DOUBLE not in after.legal_actions:
            return rolling
        doubled = min(self._double_take(after), _DROPPED)
        return _evaluation(state, rolling.chances, min(rolling.equity, -doubled), self.level)

    def _double_take(self, state: MatchState) -> float:
        after_take = state.double().take()
        return equity_in_units_of(
            state, player_on_roll(state), evaluation=self.rolling(after_take), later=after_take
        )

    def play(self, state: MatchState) -> Play | str:
        return super().play(state) if self._is_static else self._compared(state)[0].play

    def best(self, state: MatchState) -> float:
        if not self._is_static:
            return _evaluation_after(self._compared(state)[0].move, state).equity
        rolling_by_play = {
            play: self._evaluate_undoubled(state, play) for play in state.legal_plays
        }
        best = -inf
        for play in sorted(rolling_by_play, key=lambda play: -rolling_by_play[play].equity):
            rolling = rolling_by_play[play]
            if rolling.equity <= best:  # a double of the opponent makes no play better
                break
            best = max(best, self._count_double(state, play, rolling).equity)
        return best

    def _compared(self, state: MatchState, also: Collection[Position] = ()) -> list[_ComparedPlay]:
        """All plays, best first; those that were rolled out come before the others."""
        dice = state.dice
        assert dice is not None  # a play is due
        progress: list[dict[str, Any]] = []  # stays empty without a rollout

        def note_progress(_trials: int, _of: int, moves: list[dict[str, Any]]) -> None:
            nonlocal progress
            # not a copy: bgsage goes on filling this list until it answers
            progress = moves

        answer = self._ask(
            "checker_play",
            _signed_board(state.position),
            dice.high,
            dice.low,
            beaver=state.rules.beavers > 0,
            force_boards=[list(_played_board(position)) for position in also],
            progress_callback=note_progress,
            **_cube_and_score(state, player_on_roll(state)),
        )
        moves = answer.moves
        if progress:
            moves = self._rolled_out_first(moves, progress)
        move_by_board = {tuple(move.board): move for move in moves}
        play_by_board = {_played_board(play.position): play for play in state.legal_plays}
        if not move_by_board.keys() >= play_by_board.keys():
            raise EngineReplyError(f"{self.name}: its plays of {dice} are not the legal ones")
        # bgsage also bears a last checker off with one die alone where the checker can hit with the other die on its
        # way; that is not legal, since both dice can be played
        compared = [
            _ComparedPlay(play_by_board[board], move)
            for board, move in move_by_board.items()
            if board in play_by_board
        ]
        if not state.rules.cube:  # bgsage has sorted them by equities with a cube
            compared.sort(key=lambda play: _equity_without_cube(play.move, state), reverse=True)
        return compared

    def _rolled_out_first(self, moves: list[Any], progress: list[dict[str, Any]]) -> list[Any]:
        """The moves with standard errors that count the cube, which only the progress of the rollout tells."""
        cubeful_errors = {tuple(move["board"]): move.get("rollout_cubeful_se") for move in progress}
        rolled_out = list[Any]()
        others = list[Any]()
        for move in moves:
            cubeful_error = cubeful_errors[tuple(move.board)]
            move.std_error = cubeful_error  # in the place of an error without a cube
            if cubeful_error is None:
                others.append(move)
            else:
                move.eval_level = self.level
                rolled_out.append(move)
        return rolled_out + others

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        return Driver.roll_equities(self._at_1_ply(), state)

    def _at_1_ply(self) -> Bgsage:
        if self._is_static:
            return self
        if self._one_ply is None:
            self._one_ply = Bgsage(1)
            self._one_ply.start()
        return self._one_ply


class BgsageLookingAgain(Bgsage):
    """bgsage that looks at close doubles again, at the next level."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self._deeper = Bgsage(level + 1)

    def start(self) -> None:
        super().start()
        self._deeper.start()

    def close(self) -> None:
        super().close()
        self._deeper.close()

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        cube = super().cube_analysis(state, also)
        if margin_of_cube(cube) >= CLOSE_DOUBLE:
            return cube
        return self._deeper.cube_analysis(state, also)

    def rolling(self, state: MatchState) -> Evaluation:
        if Action.DOUBLE in state.legal_actions:
            return Driver.rolling(self, state)  # which takes it from `cube`
        return super().rolling(state)


def _equity_without_cube(move: Any, state: MatchState) -> float:
    return KAZAROSS_XG2.equity_from(_chances_from(move.probs), state) or 0.0


def _evaluation_after(move: Any, state: MatchState) -> Evaluation:
    return _evaluation(
        state,
        chances=_chances_from(move.probs),
        equity=move.equity,
        level=level_of_text(move.eval_level),
        error=move.std_error,
    )


def _evaluation(
    state: MatchState, chances: Chances, equity: float, level: Level, error: float | None = None
) -> Evaluation:
    """`equity` counts the cube, if there is one."""
    if not state.rules.cube:
        return without_cube(chances, state, level)
    return Evaluation(chances, equity, mwc=_mwc(equity, state), level=level, standard_error=error)


def _cube_and_score(state: MatchState, player: Player) -> dict[str, Any]:
    """The cube, the score and the rules as bgsage takes them, seen by a player."""
    owner = state.cube.owner
    if owner is None:
        side = "centered"
    elif owner is player:
        side = "player"
    else:
        side = "opponent"
    away = jacoby_as_match(state).away
    player_away = 0 if away is None else away[player]  # 0 means money play
    opponent_away = 0 if away is None else away[player.opponent]
    nobody_doubles = state.crawford or not state.rules.cube
    return {
        "cube_value": state.cube.value,
        "cube_owner": side,
        "away1": player_away,
        "away2": opponent_away,
        "is_crawford": nobody_doubles,
        "jacoby": state.rules.jacoby,
    }


def _signed_board(position: Position) -> list[int]:
    """A board as bgsage takes it: checkers on either bar are positive."""
    points = position.points
    return [-points[0], *points[1:]]


def _played_board(position: Position) -> tuple[int, ...]:
    """The board that a play leads to, as the player sees it who made the play."""
    points = position.points
    return (points[25], *(-count for count in reversed(points[:25])))


def _chances_from(probs: Any) -> Chances:
    return Chances.nested(
        probs.win, probs.gammon_win, probs.backgammon_win, probs.gammon_loss, probs.backgammon_loss
    )


def _mwc(equity: float, state: MatchState) -> float | None:
    """The chance of winning the match that belongs to an equity; None in money play."""
    chance = KAZAROSS_XG2.to_chance(equity, state, state.on_roll)
    return None if chance is None else min(1.0, max(0.0, chance))


def _lacks_avx2() -> bool:
    """Whether Linux says so; other systems are not asked."""
    with suppress(OSError):
        processor = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
        return "\nflags\t" in processor and " avx2" not in processor
    return False
