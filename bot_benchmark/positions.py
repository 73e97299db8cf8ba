"""The decisions of the benchmark, before they are rolled out: each follows from its number alone.

A number says what is wanted (a play or a cube, at random or where two engines disagree, money or a match, half A or B),
and is the seed of the games in which it is looked for. Engines play these games against one another.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from typing import Any

from attrs import frozen

from gammonrules import Action, Dice, MatchState, Phase, Play, Player, Rules, bearoff
from gammonrules._json_protocol.flat_states import flat
from gammonrules.bearoff.internals import why_not_solved
from gammonrules.engine import SimpleEngine
from gammonrules.records import CubeAnalysis

VERSION = 2
"""Of the files that are published."""
SEEDS = "gammonrules benchmark 1"
"""What all seeds begin with; with another text, no number would have the decision that it has."""
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"

PLAYERS = ("bgsage:1", "bgsage:2", "gnubg:1", "gnubg:3", "td_gammon", "bot.py")
"""Who plays the games, and who is asked what they would do: engines with their level, and two of the examples."""
QUICK = ("bgsage:1", "gnubg:1", "bot.py")
"""Those of them who play the games of races: few games have a decision about the cube that can be solved."""
PAIRS = (("gnubg:1", "bgsage:1"), ("gnubg:3", "bgsage:2"), ("gnubg:1", "td_gammon"))
"""Who selects where they disagree, in turn."""
DEEP = {"bgsage": "bgsage:2", "gnubg": "gnubg:3"}
"""Who says, for each of the two that roll out, which plays are worth it."""
WITHIN, MAX_CHOSEN = 0.12, 4
"""Candidates lose no more than this against the best one, and there are no more than so many."""
MIN_LOSS = 0.01
"""A disagreement counts if one of the deep ones thinks that it costs this much."""
CLOSE_CUBE = 0.2
"""A decision to roll counts if a double would have lost less than this, as in eXtreme Gammon."""
EQUAL = 0.0001
"""Plays that differ by no more are no choice."""
SLOTS = {"play": 80, "cube": 20}
"""No game has more decisions that may be drawn: one is drawn among so many places, of which some may be empty."""
FARTHEST = 7
"""How many points a player needs at most."""
FURTHER, RACES = 1_000, 10_000
"""The first numbers of decisions that are not rolled out, but judged alone, and of races."""
JUDGE = "bgsage:3"
"""Who judges."""
MAX_PAIRS = 3_000_000
"""How many pairs of layouts of a race are solved."""
CLEAR = 0.02
"""If the judge thinks that a play loses more than this, the deep ones do not think that all are equal."""
MONEY = Rules(jacoby=True)


@frozen
class Job:
    """What is wanted, by its number: sixteen in a row are balanced, and 96 in all combinations.

    Numbers from `FURTHER` on are judged without a rollout, and those from `RACES` on are races. A secret makes other
    decisions of the same kinds.
    """

    number: int
    secret: str = ""

    @property
    def half(self) -> str:
        return "AB"[self.number % 2]

    @property
    def drawn(self) -> str:
        if self.number >= RACES:
            return "race"
        return ("at random", "disagreement")[self.number // 2 % 2]

    @property
    def is_wanted(self) -> bool:
        """Judgments alone say nothing about disagreements."""
        return self.number < FURTHER or self.drawn != "disagreement"

    @property
    def ask(self) -> str:
        if self.number >= RACES:
            return "play" if self.number % 3 == 0 else "cube"
        return "cube" if self.number // 4 % 4 == 1 else "play"

    @property
    def pair(self) -> tuple[str, str]:
        return PAIRS[self.number // 16 % len(PAIRS)]

    @property
    def is_money(self) -> bool:
        return self.number // 16 % 2 == 0

    def rng(self, game: int) -> random.Random:
        return random.Random(f"{self._seeds}, game {game}")

    def seed(self, engine: str, chunk: int) -> int:
        """What the dice of a rollout are made from."""
        return random.Random(f"{self._seeds}, {engine}, {chunk}").getrandbits(31)

    @property
    def _seeds(self) -> str:
        secret = f", secret {self.secret}" if self.secret else ""
        return f"{SEEDS}{secret}, job {self.number}"


class Panel:
    """The players, each started when it is first asked."""

    def __init__(self) -> None:
        self._engines: dict[str, SimpleEngine] = {}

    def engine(self, name: str) -> SimpleEngine:
        if name not in self._engines:
            kind, level = name.split(":")
            self._engines[name] = (
                SimpleEngine.gnubg(level=int(level), timeout=None)
                if kind == "gnubg"
                else SimpleEngine.open(kind, int(level))
            )
        return self._engines[name]

    def names(self) -> dict[str, str]:
        return {kind: self.engine(name).name for kind, name in DEEP.items()}

    def _decide(self, name: str) -> Callable[[MatchState], Any]:
        match name:
            case "bot.py":
                return from_examples("bot").choose
            case "td_gammon":
                return self.engine("selftaught:1").decide
            case _:
                return self.engine(name).decide

    def next_state(self, name: str, state: MatchState, rng: random.Random) -> MatchState:
        """What a player does, and the roll that follows; who resigns plays on. Nobody is asked without a choice."""
        if state.phase is Phase.TO_PLAY and len(state.legal_plays) == 1:
            return state.play(state.legal_plays[0])
        if state.phase is Phase.TO_ROLL and Action.DOUBLE not in state.legal_actions:
            return state.roll(Dice.random(rng))
        decided = self._decide(name)(state)
        if decided is Action.ROLL or decided.action is Action.RESIGN:
            return state.roll(Dice.random(rng))
        return state.apply(decided)

    def choice(self, name: str, state: MatchState) -> list[str]:
        """The play, or whether to double and, if it is doubled, whether to take."""
        decided = self._decide(name)(state)
        if state.phase is Phase.TO_PLAY:
            return [str(state.legal_plays.find(decided.argument))]
        doubles = decided is not Action.ROLL and decided.action is Action.DOUBLE
        answer = self._decide(name)(state.double())
        return ["double" if doubles else "roll", "drop" if answer.action is Action.DROP else "take"]

    def close(self) -> None:
        for engine in self._engines.values():
            engine.close()
        self._engines.clear()


def from_examples(name: str) -> Any:
    if str(EXAMPLES) not in sys.path:
        sys.path.append(str(EXAMPLES))
    return import_module(name)


# Games ----------------------------------------------------------------------------------------------------------------


def first_state(job: Job, rng: random.Random) -> MatchState:
    """Money with the Jacoby rule, or any score of a match in which both need one to seven points."""
    if job.is_money:
        state = MatchState.new(None, rules=MONEY)
    else:
        away = rng.randint(1, FARTHEST), rng.randint(1, FARTHEST)
        crawford = (away[0] == 1) != (away[1] == 1) and rng.random() < 0.5
        state = MatchState.new(FARTHEST, score=(FARTHEST - away[0], FARTHEST - away[1]), crawford=crawford)
    while state.phase is Phase.OPENING:
        state = state.opening_roll(rng.randint(1, 6), rng.randint(1, 6))
    return state


def game(job: Job, panel: Panel, rng: random.Random) -> tuple[list[str], Iterator[MatchState]]:
    """The players, and the states of their game, as far as they are asked for."""
    players = QUICK if job.number >= RACES else PLAYERS
    seats = [rng.choice(players), rng.choice(players)]

    def states() -> Iterator[MatchState]:
        state = first_state(job, rng)
        while state.to_act is not None:
            yield state
            state = panel.next_state(seats[state.to_act is Player.BLACK], state, rng)

    return seats, states()


def is_decision(ask: str, state: MatchState) -> bool:
    """A play with a choice, or a double that is possible."""
    if ask == "play":
        return state.phase is Phase.TO_PLAY and len(state.legal_plays) > 1
    return state.phase is Phase.TO_ROLL and Action.DOUBLE in state.legal_actions


def decision(job: Job, panel: Panel) -> dict[str, Any]:
    """The decision with this number: the first game in which it comes up, and what engines say of it."""
    number = 0
    while True:
        rng = job.rng(number)
        seats, states = game(job, panel, rng)
        every = [state for state in states if is_decision(job.ask, state)]
        candidates = [state for state in every if job.ask == "play" or counts(state, panel)]
        picked = (
            at_random(job, panel, candidates, rng)
            if job.drawn == "at random"
            else disputed(job, panel, candidates, rng)
        )
        if picked is not None:
            state, said = picked
            by = {"selected_by": [*job.pair]} if job.drawn == "disagreement" else {}
            choices = {name: panel.choice(name, state) for name in PLAYERS}
            asked = {"job": job.number, "version": 1, "half": job.half, "ask": job.ask, "drawn": job.drawn, **by}
            return asked | {"players": seats, "game": number, "state": flat(state), "choices": choices, **said}
        number += 1


def counts(state: MatchState, panel: Panel) -> bool:
    """Whether a decision about the cube is one, by the rule of eXtreme Gammon and the quickest engine."""
    cube = panel.engine("gnubg:1").cube_analysis(state)
    assert cube.no_double is not None
    assert cube.equity_double is not None
    return cube.no_double - cube.equity_double < CLOSE_CUBE


def at_random(
    job: Job, panel: Panel, states: list[MatchState], rng: random.Random
) -> tuple[MatchState, dict[str, Any]] | None:
    """One of them, or often none: so long games are drawn from more often, and all decisions equally often."""
    slot = rng.randrange(SLOTS[job.ask])
    if slot >= len(states):
        return None
    said = seen(panel, states[slot])
    return None if is_no_choice(said) else (states[slot], said)


def is_no_choice(said: Mapping[str, Any]) -> bool:
    losses = [loss for play in said.get("plays", {}).values() for loss in play.values()]
    return bool(losses) and max(losses) <= EQUAL


def disputed(
    job: Job, panel: Panel, states: list[MatchState], rng: random.Random
) -> tuple[MatchState, dict[str, Any]] | None:
    """One of those about which the pair disagrees, if it matters."""
    rng.shuffle(states)
    for state in states:
        mine, theirs = (panel.choice(name, state) for name in job.pair)
        if mine != theirs:
            said = seen(panel, state)
            if max(cost(said, kind, mine, theirs) for kind in DEEP) >= MIN_LOSS:
                return state, said
    return None


def cost(said: Mapping[str, Any], kind: str, mine: list[str], theirs: list[str]) -> float:
    """By how much two choices differ, as one of the deep engines sees it."""
    if "plays" in said:
        losses = said["plays"]
        return abs(losses[mine[0]][kind] - losses[theirs[0]][kind])
    no_double, take = said["cube"][kind]
    doubling = abs(no_double - min(take, 1)) if mine[0] != theirs[0] else 0.0
    return max(doubling, abs(take - 1) if mine[1] != theirs[1] else 0.0)


# Further decisions ----------------------------------------------------------------------------------------------------


def judged_decision(job: Job, panel: Panel) -> dict[str, Any]:
    """A further decision at random, and what the judge says of it.

    The place is drawn before the game, and not after it, so the game ends there.
    """
    for number in count():
        rng = job.rng(number)
        slot = rng.randrange(SLOTS[job.ask])
        seats, states = game(job, panel, rng)
        for state in islice(counted(job.ask, states, panel), slot, slot + 1):
            judged = judgment(panel, state)
            if is_choice(state, judged, panel):
                return {"job": job.number, "players": seats, "game": number, "xgid": state.xgid, "judged": judged}
    raise AssertionError


def counted(ask: str, states: Iterator[MatchState], panel: Panel) -> Iterator[MatchState]:
    """The decisions of a game, as far as they may come."""
    for state in states:
        if ask == "cube" and is_cube_dead(state):
            return
        if is_decision(ask, state) and (ask == "play" or counts(state, panel)):
            yield state


def is_cube_dead(state: MatchState) -> bool:
    """Whether nobody may double until the game ends."""
    if state.away is None:
        return False
    owner = state.cube.owner
    owners = [*Player] if owner is None else [owner]
    return state.crawford or all(state.away[player] <= state.cube.value for player in owners)


def judgment(panel: Panel, state: MatchState) -> list[int]:
    """What the judge thinks that each action loses, in ten-thousandths of a point.

    Plays are in the order of `legal_plays`; of a cube, it is to roll and to double, to take and to drop.
    """
    judge = panel.engine(JUDGE)
    if state.phase is not Phase.TO_PLAY:
        losses = [*cube_losses(judge.cube_analysis(state)).values()]
    else:
        equities = {play.position: play.equity for play in judge.candidates(state, also=[*state.legal_plays])}
        best = max(equity for equity in equities.values() if equity is not None)
        losses = [best - (equities[play.position] or 0.0) for play in state.legal_plays]
    return [round(10_000 * loss) for loss in losses]


def judged_names(state: MatchState) -> list[str]:
    """The actions in the order of their judgments."""
    return [str(play) for play in state.legal_plays] if state.dice else ["roll", "double", "take", "drop"]


def cube_losses(cube: CubeAnalysis) -> dict[str, float]:
    """What each action loses by the equities of a cube."""
    assert cube.no_double is not None
    assert cube.double_take is not None
    gained = cube.no_double - min(cube.double_take, 1)
    cost = cube.double_take - 1
    losses = {"roll": -gained, "double": gained, "take": cost, "drop": -cost}
    return {action: max(0.0, loss) for action, loss in losses.items()}


def is_choice(state: MatchState, judged: list[int], panel: Panel) -> bool:
    """Whether it is a decision; the deep ones are asked where they may think that it is none."""
    return max(judged) > 10_000 * CLEAR or not is_no_choice(seen(panel, state))


# Races ----------------------------------------------------------------------------------------------------------------


def race_decision(job: Job, panel: Panel) -> dict[str, Any]:
    """Of a game, one of the decisions in its race that can be solved, each equally often; and what actions lose."""
    for number in count():
        rng = job.rng(number)
        seats, states = game(job, panel, rng)
        races = [*counted(job.ask, (state for state in states if not why_not_solved(state, limit=MAX_PAIRS)), panel)]
        if races:
            state = rng.choice(races)
            exact = exact_losses(state)
            if job.ask == "cube" or max(exact.values()) > EQUAL:
                asked = {"job": job.number, "half": job.half, "ask": job.ask, "drawn": job.drawn}
                return asked | {"players": seats, "game": number, "state": flat(state), "exact": exact}
    raise AssertionError


def exact_losses(state: MatchState) -> dict[str, float]:
    """What each action loses."""
    solution = bearoff.solve(state, limit=MAX_PAIRS)
    losses = cube_losses(solution.cube) if solution.cube else dict[str, float]()
    for play in solution.candidates:
        assert play.equity is not None
        losses[canonical(state, play.play)] = solution.equity - play.equity
    return {action: round(loss, 7) for action, loss in losses.items()}


# What the deep engines say --------------------------------------------------------------------------------------------


def seen(panel: Panel, state: MatchState) -> dict[str, Any]:
    """What the deep engines think, and which plays are to be rolled out."""
    if state.phase is not Phase.TO_PLAY:
        cubes = {kind: panel.engine(name).cube_analysis(state) for kind, name in DEEP.items()}
        return {"cube": {kind: rounded(cube.no_double, cube.double_take) for kind, cube in cubes.items()}}
    losses = dict[str, dict[str, float]]()
    for kind, name in DEEP.items():
        plays = panel.engine(name).candidates(state, also=[*state.legal_plays])
        best = max(play.equity for play in plays if play.equity is not None)
        for play in plays:
            assert play.equity is not None
            losses.setdefault(canonical(state, play.play), {})[kind] = round(best - play.equity, 5)
    return {"plays": losses, "candidates": candidates_of(losses)}


def canonical(state: MatchState, play: str | Play) -> str:
    return str(state.legal_plays.find(play))


def candidates_of(losses: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The best of each engine, and the next ones by the mean of both, up to four."""
    mean = {play: sum(loss.values()) / len(loss) for play, loss in losses.items()}
    ranked = sorted(mean, key=lambda play: (mean[play], play))
    firsts = {min(losses, key=lambda play: (losses[play][kind], mean[play], play)) for kind in DEEP}
    least = min(mean.values())
    close = [play for play in ranked if mean[play] - least <= WITHIN and play not in firsts]
    chosen = firsts | {*close[: MAX_CHOSEN - len(firsts)]}
    return [play for play in ranked if play in chosen]


def rounded(*numbers: float | None) -> list[float]:
    return [round(number, 5) for number in numbers if number is not None]
