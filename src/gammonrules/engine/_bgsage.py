"""bgsage, the engine of Open Sage, in this process."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

import attrs

from gammonrules._shared.extras import missing
from gammonrules.board import Play, Position
from gammonrules.dice import Dice
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import (
    Evaluation,
    candidate,
    player_on_roll,
    without_cube,
    worth_in,
)
from gammonrules.engine._known_rules import jacoby_as_match, unknown_rules, without_crawford
from gammonrules.engine._rollout import Rollout, at_once, level_of_rollout
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.errors import EngineReplyError, EngineStartError
from gammonrules.match import Action, MatchState, Player
from gammonrules.records.transcript import Candidate, CubeAnalysis, Level, level_of_text, ply_level
from gammonrules.values import shown

MOST_LEVEL: Final = 4
_FARTHEST_AWAY: Final = 25
"""Its match equity table ends there."""


def installed() -> str:
    """The name and the version of bgsage; "" if it is not installed."""
    with suppress(PackageNotFoundError):
        return f"bgsage {version('bgsage')[:40]}"
    return ""


@attrs.frozen
class _ComparedPlay:
    """A play, and the move as bgsage evaluates it."""

    play: Play
    move: Any


class Bgsage(Driver):
    """The engine of the package bgsage. Its N-ply is the (N-1)-ply of GNU Backgammon."""

    name = "bgsage"
    is_ours = True

    def __init__(self, level: int, rollout: Rollout | None = None) -> None:
        self._rollout = rollout
        self._is_static = level == 1 and rollout is None
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
                "n_trials": at_once(rollout),
                "truncation_depth": rollout.truncate,
                "seed": rollout.seed,
            }
        self._analyzer: Any = None
        self._shallow: Bgsage | None = None

    def start(self) -> None:
        if _lacks_avx2():  # its first answer would be the end of the process
            raise EngineStartError(
                "bgsage: this processor has no AVX2 instructions, which it needs"
            )
        try:
            bgsage = import_module("bgsage")
            self._analyzer = bgsage.BgBotAnalyzer(**self._settings, parallel_threads=1)
            self.name = installed()
        except Exception as error:
            why = missing("this engine", "bgsage 2.0 or later", "engine")
            raise EngineStartError(f"bgsage: {why} ({shown(str(error), 100)})") from error

    def reseed(self, seed: int) -> None:
        self._analyzer.set_seed(seed)

    def why_not(self, state: MatchState) -> str | None:
        if self._rollout and not state.rules.cube:
            return "rollouts without a cube"
        if max(state.away or (0, 0)) > _FARTHEST_AWAY:
            return f"matches in which a player needs more than {_FARTHEST_AWAY} points"
        return without_crawford(state) or unknown_rules(state)

    def close(self) -> None:
        self._analyzer = self._shallow = None

    def _ask(self, method: str, *arguments: Any, **options: Any) -> Any:
        try:
            return getattr(self._analyzer, method)(*arguments, **options)
        except Exception as error:
            raise EngineReplyError(
                f"{self.name}: {method} failed: {shown(str(error), 200)}"
            ) from error

    def evaluate(self, state: MatchState) -> Evaluation:
        if Action.DOUBLE not in state.legal_actions:
            return self.rolling(state)
        cube = self.cube(state)
        assert cube.chances is not None  # it has all the numbers
        assert cube.no_double is not None
        assert cube.equity_double is not None
        equity = max(cube.no_double, cube.equity_double)
        return _evaluation(state, cube.chances, equity, level=self.level)

    def cube(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:  # noqa: ARG002 - for tiers
        errors = None
        if self._is_static:
            rolling = self.rolling(state)
            taken = state.double().take()
            player = player_on_roll(state)
            double_take = worth_in(state, player, evaluation=self.rolling(taken), later=taken)
        else:
            action = self._cube_action(state)
            rolling = self._rolling_by(action, state)
            double_take = action.equity_dt
            if self._rollout is not None:
                errors = (rolling.standard_error, action.equity_dt_se)
        double_drop = 1.0  # the points on the cube, which equity is measured in
        mwc = None
        mwc_after_drop = _mwc(double_drop, state)
        if mwc_after_drop is not None:
            mwc = (rolling.mwc, _mwc(double_take, state), mwc_after_drop)
        return CubeAnalysis(
            rolling.equity,
            double_take=double_take,
            double_drop=double_drop,
            chances=rolling.chances,
            chances_double_take=None,
            level=self.level,
            standard_errors=errors,
            mwc=mwc,
            engine=self.name,
        )

    def rolling(self, state: MatchState) -> Evaluation:
        """At 1-ply, and without a cube, the evaluation of the opponent's last play.

        At 1-ply the numbers are those of `cube_action`, hundreds of times as fast, since the weights are not loaded
        again. Above it, five times as fast, they differ by up to 0.01, as plays on the way do, and are as good.
        """
        if not self._is_static and state.rules.cube:
            return self._rolling_by(self._cube_action(state), state)
        board = _signed_board(state.position.flip())
        table = _cube_and_score(state, player_on_roll(state).opponent)
        analytics = self._ask("post_move_analytics", board, **table)
        return _evaluation(
            state,
            chances=_chances_from(analytics.probs).flip(),
            equity=-analytics.cubeful_equity,
            level=self.level,
        )

    def _rolling_by(self, action: Any, state: MatchState) -> Evaluation:
        return _evaluation(
            state,
            chances=_chances_from(action.probs),
            equity=action.equity_nd,
            level=self.level,
            error=action.equity_nd_se,
        )

    def _cube_action(self, state: MatchState) -> Any:
        """Without beavers, since of a double that is beavered it does not say what a take is worth."""
        table = _cube_and_score(state, player_on_roll(state))
        return self._ask("cube_action", _signed_board(state.position), beaver=False, **table)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        """All from one call: the numbers of several do not compare."""
        return [
            candidate(compared.play, _evaluation_after(compared.move, state))
            for compared in self._compared(state, also)
        ]

    def play(self, state: MatchState) -> Play | str:
        return self._compared(state)[0].play

    def best(self, state: MatchState) -> float:
        return _evaluation_after(self._compared(state)[0].move, state).equity

    def _compared(self, state: MatchState, also: Collection[Position] = ()) -> list[_ComparedPlay]:
        """All plays, best first; those that were rolled out come before the others."""
        dice = state.dice
        assert dice is not None  # a play is due
        rolled_out: list[dict[str, Any]] = []

        def note_progress(_trials: int, _of: int, moves: list[dict[str, Any]]) -> None:
            nonlocal rolled_out
            rolled_out = moves  # the list itself, which grows until the answer is there

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
        if rolled_out:
            moves = self._rolled_out_first(moves, rolled_out)
        move_to = {tuple(move.board): move for move in moves}
        plays = {_played_board(play.position): play for play in state.legal_plays}
        if not move_to.keys() >= plays.keys():
            raise EngineReplyError(f"{self.name}: its plays of {dice} are not the legal ones")
        # it has more where a last checker may hit on its way: bearing it off at once would leave out a die
        compared = [
            _ComparedPlay(plays[board], move) for board, move in move_to.items() if board in plays
        ]
        if not state.rules.cube:  # its order counts one
            compared.sort(key=lambda play: _equity_without_cube(play.move, state), reverse=True)
        return compared

    def _rolled_out_first(self, moves: list[Any], progress: list[dict[str, Any]]) -> list[Any]:
        """With the standard errors of equities, which only its progress tells: `std_error` does not count the cube."""
        errors = {tuple(move["board"]): move.get("rollout_cubeful_se") for move in progress}
        rolled_out = list[Any]()
        others = list[Any]()
        for move in moves:
            move.std_error = errors[tuple(move.board)]
            if move.std_error is None:
                others.append(move)
            else:
                move.eval_level = self.level
                rolled_out.append(move)
        return rolled_out + others

    def rolls(self, state: MatchState) -> Mapping[Dice, float]:
        if self._is_static:
            return super().rolls(state)
        if self._shallow is None:
            self._shallow = Bgsage(1)
            self._shallow.start()
        return self._shallow.rolls(state)


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
    return {
        "cube_value": state.cube.value,
        "cube_owner": side,
        "away1": 0 if away is None else away[player],
        "away2": 0 if away is None else away[player.opponent],
        "is_crawford": state.crawford or not state.rules.cube,
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
