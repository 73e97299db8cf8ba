"""GNU Backgammon that rolls out: it does so at its prompt, for the analyses of a record that it was given."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from typing import TypeVar

import attrs

from gammonrules._shared.extras import importing_package
from gammonrules.analysis import Candidate, CubeAnalysis, PlayAnalysis
from gammonrules.board import Position
from gammonrules.engine._driver import Driver
from gammonrules.engine._evaluation import equity_of, player_on_roll
from gammonrules.engine._gnubg import Gnubg, close_to_best
from gammonrules.engine._rollout import Rollout, level_of_rollout, trials_at_once
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.errors import EngineReplyError, EngineStartError
from gammonrules.match import Action, Event, MatchState, Player
from gammonrules.match.internals import make_event

_Analysis = TypeVar("_Analysis", bound=PlayAnalysis | CubeAnalysis)


class GnubgRollouts(Gnubg):
    play = Driver.play
    doubles = Driver.doubles
    answer = Driver.answer
    analyze_sgf = Driver.analyze_sgf

    def __init__(
        self, rollout: Rollout, plies: int, noise: float, program: str | None, timeout: float | None
    ) -> None:
        # each game of a rollout may take as long as an answer without one
        timeout_of_all = None if timeout is None else timeout * rollout.trials
        super().__init__(plies, noise, program, timeout_of_all)
        self.level = level_of_rollout(rollout, plies)
        self.plays_by_0_ply = False
        self._rollout = rollout
        self._seed = rollout.seed

    def start(self) -> None:
        if os.name != "posix":  # the record is handed over in files as POSIX has them
            raise EngineStartError("gnubg: its rollouts need a POSIX system")
        super().start()

    def reseed(self, seed: int) -> None:
        self._seed = seed

    def why_not(self, state: MatchState) -> str | None:
        why = super().why_not(state)
        if why is None and not state.rules.cube:
            why = "rollouts without a cube"
        return why

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        """All plays; those that are rolled out come first."""
        plays = super().candidates(state, also)
        if len(plays) == 1:
            return plays
        close = close_to_best(plays, also, self._rollout.plays)
        # the record has the close plays alone, the first of which is made
        listed = PlayAnalysis(tuple(close), played=0)
        made = make_event(Action.PLAY, Player.WHITE, close[0].play)
        numbers_in_list = " ".join(str(number) for number in range(1, len(close) + 1))
        analysis = self._rolled_out(state, made, listed, what=f"move {numbers_in_list}")
        rolled_out = [attrs.evolve(play, level=self.level) for play in analysis.candidates]
        others = [play for play in plays if play not in close]
        return sorted(rolled_out, key=equity_of, reverse=True) + others

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        double = make_event(Action.DOUBLE, Player.WHITE, None)
        analysis = self._rolled_out(state, double, super().cube_analysis(state, also), what="cube")
        mwc = None
        if analysis.mwc is not None:
            player = player_on_roll(state)
            rolling, taken, _ = analysis.mwc
            # a drop is not rolled out: it is known
            dropped = KAZAROSS_XG2.chance_after(state, player, state.cube.value)
            mwc = rolling, taken, dropped
        return attrs.evolve(analysis, mwc=mwc, level=self.level, engine=self.name)

    def _rolled_out(
        self, state: MatchState, event: Event, analysis: _Analysis, what: str
    ) -> _Analysis:
        """The analysis of a decision after a rollout, which is made in a record with this decision alone."""
        with importing_package("records", "a rollout by GNU Backgammon"):
            from gammonrules.records.formats import read, write_sgf  # noqa: PLC0415 - they take time to load
            from gammonrules.records.transcript import Game, Match  # noqa: PLC0415 - as do these

        # it writes that White is on roll
        white = state if state.on_roll is Player.WHITE else state.swap_players()
        game = Game(1, white, (event,), analyses=(analysis,))
        sgf = write_sgf(Match(("", ""), state.length, (game,)), [[*game.states()]])
        actions = sgf.count("\n;")  # a line for each, after that of the game
        # "first game" goes to the first action, each "next" to the one after it
        to_last_action = ["first game"] + ["next"] * (actions - 1)
        commands = [*to_last_action, f"set rollout seed {self._seed}", f"analyse rollout {what}"]
        answer = self.at_prompt(self._settings(), sgf, commands)
        *_, decision = read(answer, "sgf").games[0].decisions()
        rolled_out = decision.analysis
        has_all_trials = f" Trials {trials_at_once(self._rollout)} " in answer
        if not isinstance(rolled_out, type(analysis)) or not has_all_trials:
            raise EngineReplyError(f"{self.name}: it did not roll out what it was asked for")
        return rolled_out

    def _settings(self) -> Iterator[str]:
        yield f"set rollout trials {trials_at_once(self._rollout)}"
        if self._rollout.truncate:
            yield "set rollout truncation enable on"
            yield f"set rollout truncation plies {self._rollout.truncate}"
        for decision in ("chequerplay", "cubedecision"):
            yield f"set rollout {decision} plies {self.plies}"
            yield f"set rollout truncation {decision} plies {self.plies}"
