"""`SimpleEngine`, an engine that is asked and waited for."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import deepcopy
from functools import partial
from typing import Self, TypeVar

import attrs

from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.forks import call_in_forks
from gammonrules._shared.work import deadline_in
from gammonrules.analysis import Candidate, CubeAnalysis, PlayAnalysis
from gammonrules.analysis.internals import MAX_PLAYS, is_of_double
from gammonrules.board import PlayLike
from gammonrules.dice import Dice
from gammonrules.engine._driver import Driver, before_double
from gammonrules.engine._engine_base import EngineBase
from gammonrules.engine._evaluation import Evaluation
from gammonrules.engine._factory import seconds_or_none
from gammonrules.engine._hint import ALL_PLAYS, Hint
from gammonrules.engine._own_process import OwnProcess
from gammonrules.engine._resignations import certain_answer
from gammonrules.engine._rule_support import as_known
from gammonrules.errors import ArgumentError, EngineTerminatedError, EngineUnsupportedError
from gammonrules.match import Action, Event, MatchState, Phase
from gammonrules.match.internals import ActionName, action_named, make_event
from gammonrules.values import iterator_of, shown, whole_argument

_Answer = TypeVar("_Answer")


class SimpleEngine(EngineBase):
    """An engine that plays and evaluates, asked in plain calls that wait for the answer.

    Start it by a class method: `SimpleEngine.open("bgsage")`, `SimpleEngine.gnubg()`, `SimpleEngine.ubgi(command)`. The
    constructor accepts no names. Use it in a `with` block, or call `close`; else it ends with the last reference to it.
    Several threads may ask it; they wait for each other. After an error other than `EngineUnsupportedError` it is
    closed. `Engine` is the same for `async` programs.

    A fork of your process (`os.fork`, `multiprocessing`) may ask it as well. There another engine starts when it is
    first asked, for bgsage in a process of its own. The fork never talks to the engine of its parent.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import SimpleEngine
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> with SimpleEngine.bgsage() as bgsage:
        ...     event = bgsage.decide(state)
        >>> str(event.argument)
        '8/5 6/5'
    """

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver)
        self._lock = threading.Lock()
        self._is_open = True
        self._is_started = False
        self._of_parent: Driver | None = None
        self._start()
        call_in_forks(self, SimpleEngine._become_another)

    def _start(self) -> None:
        driver = self._driver
        # what a fork starts, copied here, since a fork has to be fast
        self._unstarted = None if driver.outlives_fork else deepcopy(driver)
        self._finalizer = weakref.finalize(self, _close_driver, driver)
        self._finalizer.atexit = False  # at the end of this process, the system ends the engine
        self._is_started = True
        try:
            driver.start()
        except BaseException:
            self.kill()
            self._close()
            raise

    def _become_another(self) -> None:
        """In a fork, another engine takes the place of that of the parent; it starts when it is first asked."""
        self._lock = threading.Lock()  # the old one may be held by a thread that is not there
        driver = self._unstarted
        is_to_be_replaced = self._is_started and self._is_open
        if driver is None or not is_to_be_replaced:
            return
        self._finalizer.detach()
        driver.name = self._driver.name
        # kept, since to free its memory here would copy it first, page by page
        self._of_parent = self._driver
        # what has threads in the parent would miss them in this process
        self._driver = OwnProcess(driver, None) if driver.is_ours else driver
        self._is_started = False

    @property
    def is_open(self) -> bool:
        """Whether it can be asked: it was not closed, and no error has ended it."""
        return self._is_open

    def decide(self, state: MatchState, *, timeout: float | None = None) -> Event | Action:
        """What the engine does as the player who is to act.

        It plays the dice, rolls or doubles, answers a double or a beaver, and accepts or declines a resignation. It
        does not resign. What the rules leave no choice in does not take an engine, nor does a resignation that gives
        all that can still be won, or less than is certain.

        Args:
            state: a game that goes on.
            timeout: seconds, once the engine is free; None (the default) for the engine's own limit.

        Returns:
            An `Event` for `MatchState.apply`; `Action.ROLL` if the player rolls, since the caller brings the dice.

        Raises:
            ArgumentError: nobody is to act: the game is over, or waits for its opening roll.
            EngineError: see its subclasses; what the engine says is always legal.
        """
        actions = checked_state(state).legal_actions
        match state.phase:
            case Phase.TO_PLAY:
                plays = state.legal_plays
                if len(plays) == 1:
                    return make_event(Action.PLAY, state.to_act, plays[0])
                play = self._ask(self._driver.legal_play, state, timeout)
                return make_event(Action.PLAY, state.to_act, play)
            case Phase.TO_ROLL:
                if Action.DOUBLE not in actions:
                    return Action.ROLL
                if not self._ask(self._driver.doubles, state, timeout):
                    return Action.ROLL
                action = Action.DOUBLE
            case Phase.DOUBLED:
                action = self._answer(state, timeout)
            case _:  # RESIGNED, since somebody is to act
                action = certain_answer(state) or self._answer_to_resignation(state, timeout)
        return make_event(action, state.to_act, None)

    def _answer(self, state: MatchState, timeout: float | None) -> Action:
        double = state.pending_double
        if double is not None and double.beavers:
            return self._ask(self._driver.answer_to_beaver, state, timeout)
        action = self._ask(self._driver.answer, state, timeout)
        # an engine may think of a beaver where the rules have none
        return action if action in state.legal_actions else Action.TAKE

    def _answer_to_resignation(self, state: MatchState, timeout: float | None) -> Action:
        accepts = self._ask(self._driver.accepts, state, timeout)
        return Action.ACCEPT if accepts else Action.DECLINE

    def candidates(
        self,
        state: MatchState,
        limit: int | None = None,
        *,
        also: Sequence[PlayLike] = (),
        timeout: float | None = None,
    ) -> tuple[Candidate, ...]:
        """The plays of a roll with equity and chances, best first.

        Args:
            state: a state with dice to be played.
            limit: how many at most; None (the default) for all legal plays.
            also: plays that are listed in any case, looked at as deeply as the best ones.
            timeout: as for `decide`.

        Raises:
            ArgumentError: there are no dice to play, or `limit` is not a whole number from 1.
            IllegalPlayError: a play in `also` is not legal.
            EngineError: see its subclasses.
        """
        plays = checked_state(state).legal_plays
        positions = [plays.find(play).position for play in also]
        if limit is not None:
            limit = whole_argument("limit", value=limit, minimum=1, maximum=ALL_PLAYS)
        candidates = self._ask(partial(self._driver.candidates, also=positions), state, timeout)
        if limit is None:
            return tuple(candidates)
        wanted_later = [play for play in candidates[limit:] if play.position in positions]
        return (*candidates[:limit], *wanted_later)

    def cube_analysis(
        self,
        state: MatchState,
        *,
        also: Collection[Action | ActionName] = (),
        timeout: float | None = None,
    ) -> CubeAnalysis:
        """The equities of no double, of a double that is taken and of one that is dropped, and so the verdict.

        Args:
            state: a state in which a player may double, or in which a double without beavers is pending.
            also: what was done: `Action.ROLL`, or `DOUBLE` with `TAKE` or `DROP`. An engine with `Tiers` looks deeper
                if it was not the best; others take no notice.
            timeout: as for `decide`.

        Raises:
            ArgumentError: nobody may double, or `also` contains anything but actions.
            EngineError: see its subclasses.
        """
        actions = iterator_of(also)
        if actions is None:
            raise ArgumentError(f"also must be several actions, as in a list, not {shown(also)}")
        wanted = [action_named(action) for action in actions]
        if not is_of_double(checked_state(state)):
            raise ArgumentError("there is no cube analysis of a state in which nobody may double")
        ask = partial(self._driver.cube_analysis, also=wanted)
        return self._ask(ask, before_double(state) if state.offer else state, timeout)

    def evaluate(self, state: MatchState, *, timeout: float | None = None) -> Evaluation:
        """What the state is worth to the player who is to act, before the roll.

        Dice that were rolled and offers that are pending are ignored, so while a double is pending this is the state
        before it, as the player sees it who must answer. The equity is that of rolling now; `cube` has that
        of doubling.

        Args:
            state: a game that goes on, after its opening roll.
            timeout: as for `decide`.

        Raises:
            ArgumentError: nobody is to act.
            EngineError: see its subclasses.
        """
        player = checked_state(state).to_act
        before = state
        if state.offer is not None or state.dice is not None:
            before = attrs.evolve(state, offer=None, dice=None)
        evaluation = self._ask(self._driver.rolling, before, timeout)
        return evaluation if before.on_roll is player else evaluation.flip()

    def roll_equities(
        self, state: MatchState, *, timeout: float | None = None
    ) -> Mapping[Dice, float]:
        """The equity of each of the 21 rolls if it is played well, for the player who may roll.

        The rolls are looked at as by the lowest level of the engine, as programs do for luck: the luck of a roll is its
        equity less the mean of all 36 throws.

        Args:
            state: a state in which a player may roll.
            timeout: as for `decide`.

        Raises:
            ArgumentError: nobody may roll.
            EngineError: see its subclasses.
        """
        if checked_state(state).phase is not Phase.TO_ROLL:
            raise ArgumentError("rolls are compared before one is thrown, when a player may roll")
        return self._ask(self._driver.roll_equities, state, timeout)

    def hint(self, state: MatchState, limit: int = 10, *, timeout: float | None = None) -> Hint:
        """What the engine would do, and why: a board with a table, printed and in a notebook.

        Args:
            state: a game that goes on, after its opening roll.
            limit: how many plays of a roll at most.
            timeout: as for `decide`, for each of two questions.

        Raises:
            ArgumentError: nobody is to act, or `limit` is not a whole number from 1 to 100.
            EngineError: see its subclasses.
        """
        hint_of = partial(
            Hint,
            state,
            engine=self.name,
            ignored_rule=self.ignored_rule(checked_state(state)),
            advice=advice_on(self, state),
        )
        if state.phase is Phase.TO_PLAY:
            number = whole_argument("limit", value=limit, minimum=1, maximum=MAX_PLAYS)
            plays = self.candidates(state, number, timeout=timeout)
            of_plays = PlayAnalysis(plays, engine=self.name)
            return hint_of(Action.PLAY, of_plays)
        decision = self.decide(state, timeout=timeout)
        action = decision if isinstance(decision, Action) else decision.action
        if is_of_double(state):
            cube = self.cube_analysis(state, timeout=timeout)
            return hint_of(action, cube)
        return hint_of(action, self.evaluate(state, timeout=timeout))

    def analyze_sgf(self, state: MatchState, sgf: str, *, timeout: float | None = None) -> str:
        """A game in SGF, with the analysis that GNU Backgammon makes of all of it at once (`analyse match`).

        This is several times as fast as single questions; `records.analyze` does it.

        Args:
            state: the state before the game, or one in it.
            sgf: the text of a record with this game alone, as `records.dumps` writes it.
            timeout: seconds; None (the default) for the engine's own limit, times the number of actions of the game.

        Raises:
            EngineUnsupportedError: the engine does not know such a game, or does not analyze games by itself: bgsage,
                programs that speak UBGI, and GNU Backgammon without a cube, without the Crawford rule, with a limit of
                the cube that may matter, in matches to more than 64 points, for rollouts and on Windows.
            EngineError: see its other subclasses.
        """
        check_kind("state", state, MatchState)
        check_kind("sgf", sgf, str)
        is_asked_by_other_rules = self.ignored_rule(state) is not None
        is_asked_as_shorter_match = as_known(state).length != state.length
        if is_asked_by_other_rules or is_asked_as_shorter_match:  # the record says nothing of that
            raise EngineUnsupportedError(
                f"{self.name}: it reads such a game as another one: ask about its decisions"
            )
        if timeout is None and self._driver.timeout is not None:
            most_actions = sgf.count(";")  # each begins with one
            timeout = self._driver.timeout * (1 + most_actions)
        return self._ask(partial(self._driver.analyze_sgf, sgf=sgf), state, timeout)

    def _ask(
        self, question: Callable[[MatchState], _Answer], state: MatchState, timeout: float | None
    ) -> _Answer:
        """Ask the engine, with a deadline; after an error it is ended."""
        driver = self._driver
        seconds = driver.timeout if timeout is None else seconds_or_none(timeout)
        if seconds is not None and driver.is_ours:
            raise ArgumentError(
                f"{driver.name}: it has no timeout in this process; start it with process=True"
            )
        if not driver.knows_limits:
            state = as_known(state)
        why_not = driver.why_not(state)
        if why_not is not None:
            raise EngineUnsupportedError(f"{driver.name}: it does not know {why_not}")
        with self._lock:
            if not self._is_open:
                raise EngineTerminatedError(
                    f"{driver.name}: it was closed, or ended by an earlier error"
                )
            if not self._is_started:
                self._start()
            driver.deadline = deadline_in(seconds)
            try:
                return question(state)
            except EngineUnsupportedError:  # raised before anything is sent, so it need not end
                raise
            except BaseException:  # its next line may be the answer to this question
                self.kill()
                self._close()
                raise

    def kill(self) -> None:
        """End the engine at once, even while another thread waits for an answer, which then gets an error."""
        self._driver.kill()

    def close(self) -> None:
        """End the engine. Nothing of it is left afterward; closing it again does nothing."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._finalizer.detach()
            self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        closed = "" if self._is_open else ", closed"
        return f"<SimpleEngine {self.name}, {self.level}{closed}>"


def _close_driver(driver: Driver) -> None:
    driver.kill()
    driver.close()


def advice_on(engine: SimpleEngine, state: MatchState) -> str:
    """The line below a verdict that says what judges this state better; "" for none."""
    return engine._driver.advice_about(state)  # noqa: SLF001


def checked_state(state: MatchState) -> MatchState:
    """Raise ArgumentError for what is no state of a game in which somebody is to act."""
    check_kind("state", state, MatchState)
    if state.to_act is None:
        why = "the game is over" if state.result else "the opening roll comes first"
        raise ArgumentError(f"nobody is to act: {why}")
    return state
