"""GNU Backgammon as an engine, against what it says itself: `hint` and `eval`, which print all digits."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, product
from pathlib import Path

import attrs
import pytest
from open_engines import engine_of

import each
import gnu_backgammon
import loop
from gammonrules import (
    KERNEL,
    MONEY,
    TOURNAMENT,
    Action,
    ArgumentError,
    Cube,
    Dice,
    Event,
    GammonError,
    MatchState,
    Phase,
    Player,
    Position,
    Rules,
    Win,
)
from gammonrules.engine import ENGINES, EngineUnsupportedError, Evaluation, SimpleEngine
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.records import Candidate, CubeAnalysis, Match, analyze, scan

pytestmark = gnu_backgammon.is_needed

MATCHES = Path(__file__).parents[3] / "examples" / "matches"
SETTINGS = (
    *("set threads 1", "set confirm new off", "set confirm save off", "set display off", "set output digits 6"),
    *("set automatic game off", "set automatic roll off", "set beavers 3", "set player 0 human", "set player 1 human"),
)
CUBES = (Cube(), Cube(2, Player.WHITE), Cube(2, Player.BLACK), Cube(4, Player.WHITE))
VERDICTS = {"Double": Action.DOUBLE, "Redouble": Action.DOUBLE, "pass": Action.DROP, "take": Action.TAKE}
ENGINES_HERE = [name for name in ENGINES if name != "selftaught" or KERNEL == "c"]
"""selftaught is in the compiled kernel."""
CLOSE = 2e-4
"""The socket gives six digits of a chance of winning the match; in units of the cube it may be less."""


@cache
def boards() -> list[Position]:
    """Boards of real matches, in an order of their own."""
    chosen = [
        decision.state.position
        for entry in scan(MATCHES, workers=1)
        if entry.match is not None
        for decision in entry.match.decisions()
        if decision.state.position.checkers == 15 and decision.state.result is None
    ]
    random.Random(24).shuffle(chosen)
    return chosen


def ending(rng: random.Random) -> Position:
    """The last checkers, which it looks up in a table."""
    sides = [Counter(rng.choices(range(1, 7), k=rng.randint(1, 6))) for _ in range(2)]
    return Position.of(*sides)


def states(number: int, *phases: Phase) -> Iterator[MatchState]:
    """Decisions on these boards, and in endings, at unequal scores, in matches and for money."""
    rng = random.Random(number)
    for played in boards():
        board = played if rng.random() < 0.8 else ending(rng)
        length = None if rng.random() < 0.3 else rng.choice([3, 5, 7, 9, 11, 13, 17, 25])
        score = (0, 0) if length is None else (rng.randrange(length), rng.randrange(length))
        rules = TOURNAMENT if length else Rules(jacoby=rng.random() < 0.5, beavers=3)
        phase = rng.choice(phases)
        dice = Dice.random(rng) if phase is Phase.TO_PLAY else None
        try:
            state = MatchState(
                *(board, rng.choice([*Player]), dice),
                cube=rng.choice(CUBES),
                score=score,
                length=length,
                crawford=rng.choice([None, False]),
                rules=rules,
            )
            state = state.double() if phase is Phase.DOUBLED else state
        except GammonError:
            continue
        if Action.DOUBLE in state.legal_actions if phase is Phase.TO_ROLL else not dice or len(state.legal_plays) > 1:
            yield state
            number -= 1
        if not number:
            return


def without_cube(state: MatchState) -> MatchState:
    return attrs.evolve(state, cube=Cube(), rules=attrs.evolve(state.rules, cube=False, jacoby=False))


def said(folder: Path, command: str, plies: int, asked: list[MatchState]) -> list[str]:
    """What the program prints for each state."""
    commands = [*SETTINGS, *(f"set evaluation {kind} evaluation plies {plies}" for kind in ("chequer", "cube"))]
    commands.append("new session")
    for state in asked:
        jacoby = "on" if state.rules.jacoby else "off"
        cubeful = f"set evaluation chequer evaluation cubeful {'on' if state.rules.cube else 'off'}"
        commands += [f"set jacoby {jacoby}", cubeful, f"set gnubgid {state.gnubg_id}", command]
    _, *texts = gnu_backgammon.run(folder, *commands).split("Setting GNUbg ID ")
    assert len(texts) == len(asked)
    return texts


@each.first("number", [12, 150])
def test_its_decisions_are_its_hints(tmp_path: Path, number: int) -> None:
    """Plays, doubles and answers, and the equities of all of them."""
    asked = list(states(number, Phase.TO_PLAY, Phase.TO_ROLL, Phase.DOUBLED))
    asked += map(without_cube, states(number // 3, Phase.TO_PLAY))
    gnubg = engine_of("gnubg")
    for state, hint in zip(asked, said(tmp_path, "hint", 0, asked), strict=True):
        decided = gnubg.decide(state)
        if state.phase is Phase.TO_PLAY:
            assert decided.argument == best_of(state, hint) or are_equal(gnubg.candidates(state))
            continue
        cube, action = gnubg.cube_analysis(state), decided if isinstance(decided, Action) else decided.action
        no_double, double_take = (number_after(words, hint) for words in ("o (?:re)?double", "ouble, (?:take|beaver)"))
        assert cube.no_double == pytest.approx(no_double, abs=CLOSE)
        assert cube.double_take == pytest.approx(double_take, abs=CLOSE)
        assert cube.mwc == chances_of(state, cube.no_double, cube.double_take, 1)
        assert verdict(state, hint) in {action, None}


def told(candidate: Candidate) -> list[float]:
    chances = candidate.chances
    assert chances is not None
    wins = [chances.win, chances.win_gammon, chances.win_backgammon]
    return [*wins, chances.lose_gammon, chances.lose_backgammon]


def best_of(state: MatchState, hint: str) -> object:
    line = re.search(r"(?m)^ *1\. Cube\w+ \d-ply +(.*?) +Eq\.:", hint)
    assert line, hint
    return state.legal_plays.find(line[1])


def are_equal(candidates: tuple[Candidate, ...]) -> bool:
    """Whether the best two plays are worth the same, so that either may come first."""
    first, second = candidates[:2]
    return first.equity == pytest.approx(second.equity, abs=1e-6)


def number_after(words: str, hint: str) -> float:
    line = re.search(rf"{words} +([+-]\d+\.\d+)", hint)
    assert line, hint
    return float(line[1])


def verdict(state: MatchState, hint: str) -> Action | None:
    """What "Proper cube action: No double, take" means here; None where both are as good."""
    line = re.search(r"Proper cube action: ([^\n(]*)", hint)
    assert line, hint
    double, answer = line[1].strip().split(", ")
    if state.phase is Phase.TO_ROLL:
        return None if "Optional" in double else VERDICTS.get(double, Action.ROLL)
    return VERDICTS.get(answer, Action.BEAVER if Action.BEAVER in state.legal_actions else Action.TAKE)


@pytest.mark.long
def test_a_cube_one_roll_deeper_is_nearly_its_hint(tmp_path: Path) -> None:
    """That makes the same plays for both cubes."""
    asked = list(states(4, Phase.TO_ROLL))
    gnubg = engine_of("gnubg", 2)
    for state, hint in zip(asked, said(tmp_path, "hint", 1, asked), strict=True):
        cube = gnubg.cube_analysis(state)
        double_take = number_after("ouble, (?:take|beaver)", hint)
        assert cube.double_take == pytest.approx(double_take, abs=0.05)
        if not is_better_doubled(cube):
            assert cube.no_double == pytest.approx(number_after("o (?:re)?double", hint), abs=CLOSE)


def is_better_doubled(cube: CubeAnalysis) -> bool:
    return min(cube.double_take, 1) >= cube.no_double - 0.1


def test_it_runs_nothing_that_lies_in_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It imports `gnubg` from its own."""
    (tmp_path / "gnubg.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(str(gnu_backgammon.GNUBG))
    with SimpleEngine.gnubg(program="./link") as gnubg:
        state = MatchState.new(1).opening_roll(3, 1)
        match = Match.from_events(("", ""), state, [gnubg.decide(state)])
        assert all(decision.analysis for decision in analyze(match, gnubg).decisions())
    assert not (tmp_path / "ran").exists()


def test_a_hopeless_match_is_at_worst_lost() -> None:
    """An equity that stands for it by a hair more than it may."""
    state = MatchState.from_gnubg_id("BwAA0KcAQVcAAA:UQngADAAEAAE")
    gnubg = engine_of("gnubg", 2)
    assert gnubg.cube_analysis(state).mwc == (0, 0, pytest.approx(0.5715, abs=1e-4))


@each.first("plies", [0, 1, 2])
def test_its_evaluations_are_what_eval_prints(tmp_path: Path, plies: int) -> None:
    asked = list(states(20, Phase.TO_ROLL))
    asked += () if plies else map(without_cube, asked[::2])  # deeper, `eval` counts a cube
    gnubg = engine_of("gnubg", plies + 1)
    for state, printed in zip(asked, said(tmp_path, "eval", plies, asked), strict=True):
        row = ("static", "1 ply", "2 ply")[plies]
        line = re.search(rf"(?m)^ *{row}:?(.*)", printed)
        assert line, printed
        *chances, cubeless, cubeful = map(float, re.findall(r"-?\d+\.\d+", line[1]))
        evaluation = gnubg.evaluate(state)
        ours = evaluation.win, evaluation.win_gammon, evaluation.win_backgammon
        assert [*ours, evaluation.lose_gammon, evaluation.lose_backgammon] == chances
        is_reckoned = plies and evaluation.equity != gnubg._driver.evaluate(state).equity
        printed_equity = cubeful if state.rules.cube else cubeless
        assert evaluation.equity == pytest.approx(printed_equity, abs=0.05 if is_reckoned else CLOSE)
        assert evaluation.level == f"{plies}-ply"
        assert (evaluation.mwc,) == (chances_of(state, evaluation.equity) or (None,))
        assert evaluation == gnubg.evaluate(state.roll((6, 5)))
        assert not state.rules.cube or evaluation.flip() == gnubg.evaluate(state.double())
        assert evaluation.mwc is None or evaluation.flip().mwc == 1 - evaluation.mwc


def chances_of(state: MatchState, *equities: float) -> object:
    """The chances of winning the match that belong to equities; None in money play."""
    chances = [KAZAROSS_XG2.to_chance(equity, state, state.on_roll) for equity in equities]
    return None if state.length is None else tuple(pytest.approx(chance, abs=1e-5) for chance in chances)


@each.first("number, plies", [(4, 1), (60, 1), (8, 2)])
def test_its_candidates_are_those_that_hint_prints(tmp_path: Path, number: int, plies: int) -> None:
    """Where both are of the same level; and luck is that of 0-ply."""
    asked = list(states(number, Phase.TO_PLAY))
    asked += map(without_cube, asked[::2])
    row = r"Cube\w+ (\d-ply) +(.*?) +Eq\.: +(\S+).*\n +(\S+) (\S+) (\S+) - \S+ (\S+) (\S+)"
    gnubg = engine_of("gnubg", plies + 1)
    first = engine_of("gnubg")
    for state, hint in zip(asked, said(tmp_path, "hint", plies, asked), strict=True):
        candidates, printed = gnubg.candidates(state), re.findall(row, hint)
        if printed[0][0] == f"{plies}-ply":  # it looks no deeper where one play alone is good
            assert candidates[0].equity == pytest.approx(float(printed[0][2]), abs=CLOSE)
        ours = {(candidate.level, candidate.position): (candidate.equity, *told(candidate)) for candidate in candidates}
        for level, play, *numbers in printed:
            numbers_of_ours = ours.get((level, state.legal_plays.find(play).position))
            assert numbers_of_ours is None or numbers_of_ours == pytest.approx([*map(float, numbers)], abs=CLOSE)
        asked_too = gnubg.candidates(state, 1, also=[candidates[-1].play])
        best = (
            candidates[0] if candidates[0].equity >= asked_too[-1].equity else asked_too[-1]
        )  # which was not looked at before
        assert [play.position for play in asked_too] == [*dict.fromkeys([best.position, candidates[-1].position])]
    before = attrs.evolve(asked[0], dice=None)
    assert gnubg.roll_equities(before) == pytest.approx(first.roll_equities(before), abs=CLOSE)


def test_a_score_beyond_the_match_equity_table_has_no_numbers() -> None:
    state = MatchState.new(26).opening_roll(3, 1)
    gnubg = engine_of("gnubg")
    for ask in (gnubg.evaluate, gnubg.candidates, lambda state: gnubg.cube_analysis(state.play("8/5 6/5"))):
        with pytest.raises(EngineUnsupportedError, match="this score"):
            ask(state)
    assert gnubg.decide(state) == Event(Action.PLAY, Player.WHITE, state.legal_plays.find("8/5 6/5"))


@loop.rows("name", *ENGINES_HERE)
def test_what_follows_from_evaluations(name: str) -> None:
    """A beaver, and a resignation while a double is pending: it cannot be asked about either."""
    even = Position.of(mine={6: 3}, theirs={6: 3})
    about_to_lose = Position.of(mine={6: 15}, theirs={1: 2})
    money = MatchState(about_to_lose, Player.WHITE, rules=MONEY, cube=Cube(2, Player.WHITE))
    behind = MatchState(Position.of(mine={1: 5}, theirs={1: 4}), Player.WHITE, rules=MONEY, cube=Cube(2, Player.WHITE))
    winning = MatchState(about_to_lose.flip(), Player.WHITE, rules=MONEY, cube=Cube(2, Player.WHITE))
    engine = engine_of(name)
    for state, action in (
        (MatchState(even, Player.WHITE, rules=MONEY).double(), Action.TAKE),
        (attrs.evolve(behind, length=9, rules=TOURNAMENT).double(), Action.TAKE),
        (money.double(), Action.TAKE),  # since a beaver would be dropped, for less than the gammons cost
        (behind.double(), Action.BEAVER),
        (money.double().beaver(), Action.DROP),
        (winning.double().beaver(), Action.TAKE),
        (MatchState(even, Player.WHITE, rules=MONEY).double().beaver(), Action.TAKE),
        (money.double().resign(by=Player.WHITE), Action.DECLINE),
    ):
        decided = engine.decide(state)
        assert isinstance(decided, Event)
        assert decided.action is action
        state.apply(decided)


@loop.rows("name", *ENGINES_HERE)
def test_it_accepts_a_resignation_that_is_worth_as_much_as_to_go_on(name: str) -> None:
    engine = engine_of(name)
    asked = states(8, Phase.TO_PLAY, Phase.TO_ROLL, Phase.DOUBLED)
    for state in chain(asked, map(without_cube, states(4, Phase.TO_PLAY))):
        player = state.on_roll
        assert player is not None
        if state.dice:
            worth = engine.candidates(state, 1)[0].equity
        else:
            cube = engine.cube_analysis(state)
            worth = cube.equity_of_best(Action.TAKE if state.pending_double else Action.ROLL)
            player = state.to_act
        for by, win in product(Player, Win):
            going_on = (worth or 0) * (1 if by.opponent is player else -1)
            over = state.resign(win, by=by).accept()
            assert over.result is not None
            points = over.result.points / state.cube.value
            chance = KAZAROSS_XG2.chance_after(state, by.opponent, over.result.points)
            offered = points if chance is None else KAZAROSS_XG2.to_equity(chance, state, by.opponent)
            assert offered is not None
            decided = engine.decide(state.resign(win, by=by))
            assert isinstance(decided, Event)
            if abs(offered - going_on) > 0.003:
                assert (decided.action is Action.ACCEPT) == (offered > going_on)


@each.first("number", [2, 30])
@pytest.mark.parametrize("name", ENGINES_HERE)
def test_a_game_without_a_cube_is_worth_what_its_ends_are(name: str, number: int) -> None:
    """The ends by the rules, times their chances; plays are compared by it, with the Jacoby rule as well."""

    def worth(state: MatchState, evaluated: Candidate | Evaluation) -> float:
        assert evaluated.chances is not None
        player = state.on_roll
        assert player is not None

        def at_end(points: int) -> float:
            over = state.resign(Win(abs(points)), by=player.opponent if points > 0 else player).accept()
            assert over.result is not None
            chance = KAZAROSS_XG2.chance(over, player)
            return over.result.points * (1 if points > 0 else -1) if chance is None else chance

        won, lost = at_end(1), at_end(-1)
        mean = sum(chance * at_end(points) for points, chance in evaluated.chances.exclusive.items())
        assert evaluated.mwc == (None if state.length is None else pytest.approx(mean))
        return (2 * mean - won - lost) / (won - lost)

    engine = engine_of(name)
    for without in map(without_cube, states(number, Phase.TO_PLAY)):
        for jacoby in (False, True):
            state = attrs.evolve(without, rules=Rules(cube=False, jacoby=jacoby))
            before, candidates = attrs.evolve(state, dice=None), engine.candidates(state)
            for evaluated in (*candidates, engine.evaluate(before)):
                assert evaluated.equity == pytest.approx(worth(state, evaluated), abs=1e-6)
            equities = [candidate.equity or 0 for candidate in candidates]
            assert equities == sorted(equities, reverse=True)
            same = attrs.evolve(state, crawford=False, rules=attrs.evolve(state.rules, crawford=False))
            decided = engine.decide(same)
            assert isinstance(decided, Event)
            assert decided.argument == state.legal_plays.find(candidates[0].play) or are_equal(candidates)
            assert engine.decide(before) is Action.ROLL
            with pytest.raises(ArgumentError, match="nobody may double"):
                engine.cube_analysis(before)
    assert engine.roll_equities(before)[state.dice or (1, 1)] == pytest.approx(candidates[0].equity, abs=1e-5)


@pytest.mark.long
def test_the_games_at_one_point_from_winning() -> None:
    """It reads the scores and the Crawford game as we mean them; at 6-0 it would take."""
    ahead = Position.from_points([0, 2, 2, 2, 1, *[0] * 15, -2, -2, -2, -2, -1, 0])
    past_crawford = MatchState(ahead, Player.WHITE, score=(0, 6), length=7, crawford=False)
    with SimpleEngine.gnubg() as engine:
        for state in (past_crawford, past_crawford.swap_players()):
            assert engine.decide(state.double()) == Event(Action.DROP, state.on_roll.opponent)
            assert engine.decide(state) == Event(Action.DOUBLE, state.on_roll)
            crawford = engine.evaluate(attrs.evolve(state, crawford=True))
            assert crawford.mwc < engine.evaluate(state).mwc < 0.5
