"""`Driver`: what each kind of engine can do. A `SimpleEngine` has one, and asks it about legal states only."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager

import attrs

from gammonrules._shared.work import Deadline, Program
from gammonrules.analysis import Candidate, CubeAnalysis
from gammonrules.analysis.internals import UNKNOWN
from gammonrules.board import Play, Position
from gammonrules.board.internals import STANDARD_CHECKERS
from gammonrules.dice import ROLLS, Dice
from gammonrules.engine._evaluation import (
    Evaluation,
    equity_in_units_of,
    equity_of,
    evaluation_of_end,
)
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.errors import (
    EngineError,
    EngineReplyError,
    EngineStartError,
    EngineTimeoutError,
    EngineUnsupportedError,
    GammonError,
)
from gammonrules.match import Action, MatchState, Player, Resignation
from gammonrules.values import shown

FIRST_LOOK = 8
"""How many plays are looked at more deeply, at most, beside those that are wanted in any case."""

_TOLERANCE = 1e-3
"""How far an equity may be off: an engine does not always see that a game is lost, or a gammon out of reach."""


class Driver:
    """An engine. Subclasses answer what their engine can; the rest follows from that.

    Every state was checked before: nobody has won, and the rules allow what is asked.

    Attributes:
        name: the program and its version, as far as it says.
        level: how deep it looks.
        timeout: seconds for an answer; None for no limit.
        checkers: how many each side has in the games that it knows.
        is_ours: whether it runs in this process, so that nothing can end it before it answers.
        outlives_fork: whether a fork of this process can go on with it: it has no threads and no program.
        knows_limits: whether it knows limits of the cube and games without gammons, so that it is asked about a state
            as it is.
        advice: what judges better, and how to get it, if this engine answers for want of that; else "".
        met: what scores are worth.
        deadline: when the present answer must be there, by the monotonic clock; None for never.
    """

    name = ""
    level = UNKNOWN
    checkers = STANDARD_CHECKERS
    timeout: float | None = None
    is_ours = False
    outlives_fork = False
    knows_limits = False
    advice = ""
    met = KAZAROSS_XG2
    deadline: Deadline | None = None
    _program: Program | None = None

    def start(self) -> None:
        """Start the engine. Raises EngineError."""

    def why_not(self, state: MatchState) -> str | None:
        """Why the engine does not know a game like this one, as the end of a sentence; None if it does."""
        raise NotImplementedError(state)

    def advice_about(self, _state: MatchState, /) -> str:
        """What judges a state better; "" if there is nothing to say."""
        return self.advice

    def kill(self) -> None:
        """End the engine at once, perhaps while another thread waits for it, which then gets an error."""
        program = self._program  # taken once, since `close` may set it to None in another thread
        if program is not None:
            program.kill()

    def close(self) -> None:
        """End the engine in order; afterward nothing of it is left."""
        if self._program is not None:
            self._program.close()
            self._program = None

    def reseed(self, seed: int) -> None:
        """Roll out with other dice from now on."""
        raise NotImplementedError(seed)

    # What engines answer ----------------------------------------------------------------------------------------------

    def evaluate(self, state: MatchState) -> Evaluation:
        """The evaluation of a state in which a player may roll; its equity includes the right to double first."""
        raise self.gives_none(state)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        """All plays of a roll, best first; those that lead to these positions are looked at as deeply as the best."""
        raise self.gives_none(state, also)

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:
        """The equities of doubling in a state in which a player may double, looked at as deeply as `also` takes."""
        raise self.gives_none(state, also)

    def play(self, state: MatchState) -> Play | str:
        """The best play of a roll with several legal plays."""
        return self.candidates(state)[0].play

    def doubles(self, state: MatchState) -> bool:
        """Whether to double in a state in which a player may."""
        return self.cube_analysis(state).best is Action.DOUBLE

    def answer(self, state: MatchState) -> Action:
        """The answer to a double without beavers: take, drop or beaver."""
        cube = self.cube_analysis(before_double(state))
        # with many gammons, a beaver would be dropped for 2, less than the double costs
        if cube.double_take is not None and -2 < cube.double_take < 0:
            return Action.BEAVER
        return cube.best_answer or Action.TAKE

    def accepts(self, state: MatchState) -> bool:
        """Whether the answerer accepts a resignation of uncertain worth: if that is as much as to go on, or nearly."""
        offer = state.offer
        assert isinstance(offer, Resignation)
        answerer = offer.by.opponent
        declined = state.decline()
        # both are in units of the cube of `declined`
        equity_accepted = evaluation_of_end(state.accept(), declined, answerer, met=self.met).equity
        equity_declined = self.going_on(declined, answerer)
        return equity_accepted >= equity_declined - _TOLERANCE

    def analyze_sgf(self, state: MatchState, sgf: str) -> str:
        """A game in SGF, with the analysis that the engine makes of all of it; the state is one of the game."""
        raise self.gives_none(state, sgf, what="analysis of a whole game")

    def gives_none(
        self, *_asked: object, what: str = "evaluations, only decisions"
    ) -> EngineUnsupportedError:
        return EngineUnsupportedError(f"{self.name}: it gives no {what}")

    def wrong(self, reply: str, why: str) -> EngineReplyError:
        """The error if it says what it should not."""
        return EngineReplyError(f"{self.name}: it answered {shown(reply, 100)}: {why}")

    # What follows from it ---------------------------------------------------------------------------------------------

    def legal_play(self, state: MatchState) -> Play:
        """The best play of a roll. Raises EngineReplyError if it is not legal."""
        play = self.play(state)
        try:
            return state.legal_plays.find(play)
        except GammonError as error:
            sentence = f"{shown(play, 60)} is no legal play of {state.dice}: {error}"
            raise EngineReplyError(f"{self.name}: {sentence}") from error

    def rolling(self, state: MatchState) -> Evaluation:
        """The evaluation of a state in which a player may roll, if they roll."""
        if Action.DOUBLE not in state.legal_actions:
            return self.evaluate(state)
        cube = self.cube_analysis(state)
        assert cube.chances is not None  # an engine that evaluates gives both
        assert cube.no_double is not None
        return Evaluation(
            cube.chances,
            equity=cube.no_double,
            mwc=None if cube.mwc is None else cube.mwc[0],
            level=cube.level,
            standard_error=None if cube.standard_errors is None else cube.standard_errors[0],
        )

    def going_on(self, state: MatchState, player: Player) -> float:
        """The worth of a state without an offer to resign to a player, in units of its cube."""
        if state.pending_double is not None:
            taken = self.worth_after(state, state.take(), player)
            dropped = self.worth_after(state, state.drop(), player)
            # who answers chooses what is best for themselves
            return max(taken, dropped) if state.to_act is player else min(taken, dropped)
        if state.dice is None:
            return self.worth_after(state, state, player)
        equity_on_roll = self.best(state)
        return equity_on_roll if state.on_roll is player else -equity_on_roll

    def worth_after(self, state: MatchState, later: MatchState, player: Player) -> float:
        """The worth of a later state to a player, in units of the cube of `state`.

        In the later state somebody may roll, or the game is over.
        """
        if later.result is not None:
            return evaluation_of_end(later, state, player, met=self.met).equity
        evaluation = self.evaluate(later)  # for the player on roll
        if later.on_roll is not player:
            evaluation = evaluation.flip()
        return equity_in_units_of(state, player, evaluation=evaluation, later=later, met=self.met)

    def answer_to_beaver(self, state: MatchState) -> Action:
        """Take or drop a beaver or what follows it, whichever is worth more to the answerer. A raccoon is not tried."""
        player = state.to_act
        assert player is not None  # who answers
        taken = self.worth_after(state, state.take(), player)
        dropped = self.worth_after(state, state.drop(), player)
        return Action.TAKE if taken >= dropped else Action.DROP

    def best(self, state: MatchState) -> float:
        """The equity of a roll, if it is played well."""
        return equity_of(self.candidates(state)[0])

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        """The equity of each of the 21 rolls, played well, for the player who may roll."""
        return {dice: self.best(state.roll(dice)) for dice in ROLLS}


def before_double(state: MatchState) -> MatchState:
    """The state before the double that is pending."""
    return attrs.evolve(state, offer=None)


@contextmanager
def start_errors(who: str) -> Generator[None]:
    """While an engine starts, whatever goes wrong is an `EngineStartError`."""
    try:
        yield
    except EngineStartError:
        raise
    except EngineTimeoutError as error:
        raise EngineStartError(f"{error}; this is the limit of a start") from error
    except EngineError as error:
        raise EngineStartError(str(error)) from error
    except OSError as error:
        raise EngineStartError(f"{who}: {error}") from error
