"""Whom one can play against, and who teaches: the engines on this machine, for the game in the terminal.

An `Opponent` is a `Bot`, a function of a state, of a strength that is said; a `Tutor` says what can be done, and what
it loses. Both start their engine when they are first asked, and raise EngineError where it fails: then `bot.choose`
plays on.

`python examples/opponents.py` lets each play against itself, and prints how well: the numbers in `STRENGTHS`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import starmap
from operator import itemgetter

import attrs
from bot import choose, losses, played

from gammonrules import MONEY, Action, Event, MatchState, Phase, Rules, Win
from gammonrules.engine import Bot, EngineError, EngineStartError, EngineUnsupportedError, SimpleEngine
from gammonrules.records import analyze

TIMEOUT = 10
"""Seconds for an answer."""
REST = 60
"""Seconds between two starts of an engine that fails."""
SURE = 0.001
"""So small a chance is none."""
MAX_PLAYS = 5
"""Plays of a hint."""
CHOICES = {Phase.TO_ROLL: (Action.ROLL, Action.DOUBLE), Phase.DOUBLED: (Action.TAKE, Action.DROP)}
SIMPLE = "Simple bot"
"""Who plays on where an engine fails: `bot.choose`."""


class Startable:
    """An engine that is started when it is first asked, and again some time after it has failed."""

    def __init__(self, start: Callable[[], SimpleEngine]) -> None:
        self.start = start
        self.rests_until = 0.0
        self.started: SimpleEngine | None = None

    @property
    def engine(self) -> SimpleEngine:
        """Raises EngineError."""
        if self.started is None or not self.started.is_open:
            if time.monotonic() < self.rests_until:
                raise EngineStartError("it has just failed, and is started again later")
            self.rests_until = time.monotonic() + REST
            self.started = self.start()
        return self.started

    def close(self) -> None:
        if self.started is not None:
            self.started.close()


class Opponent(Startable):
    """An engine to play against. It also resigns, which engines do not."""

    def __init__(self, name: str, about: str, start: Callable[[], SimpleEngine]) -> None:
        super().__init__(start)
        self.name = name
        self.about = about

    def __call__(self, state: MatchState) -> Event | Action:
        """What it does as the player who is to act. Raises EngineError."""
        lost = lost_for_certain(state, self.engine)
        if lost is None or state.to_act is None:
            return self.engine.decide(state)
        return Event(Action.RESIGN, state.to_act, lost)


def lost_for_certain(state: MatchState, engine: SimpleEngine) -> Win | None:
    """What a player who may roll loses whatever the dice, in a race, as far as it counts; None while that is open.

    None too where the engine evaluates no such match.
    """
    if state.phase is not Phase.TO_ROLL or state.to_act is None or not state.position.is_race:
        return None
    try:
        seen = engine.evaluate(state)
    except EngineUnsupportedError:
        return None
    if seen.win > SURE or any(SURE < chance < 1 - SURE for chance in (seen.lose_gammon, seen.lose_backgammon)):
        return None
    lost = 1 + round(seen.lose_gammon) + round(seen.lose_backgammon)
    return max((win for win in losses(state, state.to_act) if win <= lost), default=None)


class Tutor(Startable):
    """Judges plays and cubes, always by the same engine at the same level, so that its numbers can be compared."""

    def __init__(self, key: str) -> None:
        super().__init__(TUTORS.get(key) or partial(SimpleEngine.open, key))
        self.key = key

    @property
    def name(self) -> str:
        """Raises EngineError."""
        return f"{self.engine.name}, {self.engine.level}"

    def choices(self, state: MatchState) -> list[tuple[str, float]]:
        """What can be done, best first, and what each loses, in points for a cube of 1; nothing of resignations.

        Raises EngineError.
        """
        if state.phase is Phase.TO_PLAY:
            plays = self.engine.candidates(state, MAX_PLAYS)
            best = plays[0]
            return [(each.play, (best.equity or 0) - (each.equity or 0)) for each in plays if each.level == best.level]
        possible = [action for action in CHOICES.get(state.phase, ()) if action in state.legal_actions]
        if len(possible) < 2 or (state.pending_double and state.pending_double.beavers):
            return []
        cube = self.engine.cube_analysis(state)
        return sorted(((action.value, cube.error_of(action) or 0.0) for action in possible), key=itemgetter(1))


# What is here ---------------------------------------------------------------------------------------------------------


def usual_tutor() -> SimpleEngine:
    """Who judges in `gammonrules evaluate` too. Raises EngineError if it does not start, which it tells when asked."""
    engine = SimpleEngine.default(process=True, timeout=TIMEOUT)
    engine.evaluate(MatchState.new(1).opening_roll(white=3, black=1))
    return engine


TUTORS: dict[str, Callable[[], SimpleEngine]] = {
    "default": usual_tutor,
    "gnubg": partial(SimpleEngine.gnubg, timeout=TIMEOUT),
}
"""Who judges: the first that is here; without bgsage the last, which judges better than what the default then asks."""
STRENGTHS = (
    (
        "Beginner",
        "Knows the rules, and little else. Error rate: 25.",
        partial(SimpleEngine.selftaught, strength="beginner"),
    ),
    (
        "Casual player",
        "Plays for fun, and errs often. Error rate: 15.",
        partial(SimpleEngine.selftaught, strength="casual"),
    ),
    (
        "Club player",
        "Plays well, and errs now and then. Error rate: 10.",
        partial(SimpleEngine.selftaught, strength="club"),
    ),
    (
        "Strong player",
        "A network that taught itself. Error rate: 5.",
        partial(SimpleEngine.selftaught, strength="strong"),
    ),
    ("Master", "The same network, which thinks one roll ahead. Error rate: 3.", partial(SimpleEngine.selftaught, 2)),
    (
        "World class",
        "The program bgsage. Error rate: 1.",
        partial(SimpleEngine.bgsage, 2, process=True, timeout=TIMEOUT),
    ),
    ("Champion", "The program GNU Backgammon. Error rate: 1.", partial(SimpleEngine.gnubg, level=3, timeout=TIMEOUT)),
)
"""Names, what plays, and how well (`main`): error rates of the best people are below 5, of beginners above 20."""
PERFECT = "Perfect player", "Has solved Hypergammon, and never errs. Error rate: 0."
"""Who plays and teaches alone where there is a table of Hypergammon."""


def solved(table: str) -> tuple[Rules, list[int | None]]:
    """By what rules and to how many points a table of Hypergammon plays; None is money play.

    Raises GammonError, OSError, or ImportError without NumPy.
    """
    with import_module("gammonrules.hypergammon").open(table) as opened:
        rules = attrs.evolve(MONEY, start=opened.start, jacoby=opened.jacoby, beavers=int(opened.beavers))
        return rules, [*range(1, opened.length + 1)] if opened.length else [None]


@contextmanager
def opened(
    tell: Callable[[str], object] = str, table: str | None = None
) -> Generator[tuple[dict[str, Bot], Tutor | None]]:
    """The opponents on this machine by name, the weakest first, and a tutor; `tell` hears once what is missing.

    With a table of Hypergammon, the perfect player alone.
    """
    missing = set[str]()
    strengths: Sequence[tuple[str, str, Callable[[], SimpleEngine]]] = STRENGTHS
    tutors = [*TUTORS] if find_spec("bgsage") else [*reversed(TUTORS)]
    if table is not None:
        strengths = [(*PERFECT, partial(SimpleEngine.hypergammon, table))]
        tutors = [f"hypergammon:{table}"]
    with ExitStack() as stack:

        def is_here(startable: Startable) -> bool:
            stack.callback(startable.close)
            try:
                return startable.engine.is_open
            except EngineError as error:
                if str(error) not in missing:
                    tell(str(error))
                missing.add(str(error))
                return False

        opponents = [each for each in starmap(Opponent, strengths) if is_here(each)]
        bots: dict[str, Bot] = {each.name: each for each in opponents}
        if strengths[0][0] not in bots:  # then there is nobody whom a beginner can beat
            bots = {SIMPLE: choose} | bots
        yield bots, next(filter(is_here, map(Tutor, tutors)), None)


def main() -> None:
    """How well they play, as the strongest of them judges matches against themselves."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--matches", type=int, default=10)
    number = parser.parse_args().matches
    if number < 1:
        parser.error("--matches is a number from 1")
    matches = range(number)
    with opened(print) as (bots, tutor):
        judge = bots.get(STRENGTHS[-1][0], tutor)
        engine = judge.engine if isinstance(judge, Startable) else None
        for name, bot in bots.items():
            judged = (analyze(played(bot, seed), engine) for seed in matches) if engine else ()
            rates = [rate for match in judged for rate in match.error_rates()]
            decisions = sum(rate.decisions for rate in rates) or 1
            pr = sum((rate.pr or 0) * rate.decisions for rate in rates) / decisions
            print(f"{name}: PR {pr:.1f} in {decisions} decisions", flush=True)
        print(f"as {f'{engine.name}, {engine.level}' if engine else 'nobody'} judges them")


if __name__ == "__main__":
    main()
