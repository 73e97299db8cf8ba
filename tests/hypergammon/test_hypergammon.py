"""Hypergammon solved: beside a brute force that looks at the next roll by the rules alone."""

from __future__ import annotations

import hashlib
import random
import re
import sys
from itertools import cycle, permutations
from pathlib import Path
from typing import cast

import attrs
import numpy as np
import pytest

import commands
import each
import loop
import wording
from gammonrules import (
    MONEY,
    ROLLS,
    Action,
    ArgumentError,
    MatchState,
    ParseError,
    Phase,
    Player,
    Position,
    Rules,
    batch,
    bearoff,
    equity,
    hypergammon,
)
from gammonrules.bearoff import NotInTableError, Verdict
from gammonrules.board import StartName
from gammonrules.engine import EngineUnsupportedError, Rollout, SimpleEngine
from gammonrules.equity import MatchEquityTable
from gammonrules.hypergammon import HypergammonTable
from gammonrules.hypergammon._board_numbers import numbering

ROUNDED = 1e-6
WON = Position.of(mine={"off": 1}, theirs={3: 1}, checkers=1)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "one.table"
    hypergammon.solve(path, 1).close()
    return path


@pytest.fixture(scope="module")
def table(file: Path) -> HypergammonTable:
    return hypergammon.open(file)


@pytest.fixture(scope="module")
def match_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "match.table"
    hypergammon.solve(path, 1, length=3).close()
    return path


def every_position(checkers: int) -> np.ndarray:
    numbers = numbering(checkers)
    (mine, theirs), boards = numbers.pairs(), numbers.boards()
    return boards[mine] - boards[theirs, ::-1]


@each.first("checkers, count", [(1, 601), (2, 106_552)])
def test_each_position_has_a_number(checkers: int, count: int) -> None:
    boards = every_position(checkers)
    assert len(np.unique(boards, axis=0)) == len(boards) == count
    assert (numbering(checkers).numbers(boards) == np.arange(count)).all()
    assert not batch.outcomes(boards, checkers=checkers).any()


def lost(position: Position) -> int:
    """Of a game that the player on roll has lost."""
    if position.off:
        return 1
    return 3 if any(position.points[point] > 0 for point in range(19, 26)) else 2


def looked_ahead(table: HypergammonTable, position: Position) -> tuple[tuple[float, ...], np.ndarray]:
    """The equities of rolling now, and the least and the largest chances, by the positions that the plays lead to.

    Of plays that are equal but for the rounding of the file, any may be the one that the chances are of.
    """
    sums, chances = [0.0] * 4, np.zeros((2, 5))
    for roll in ROLLS:
        best, ends = [-9.0] * 4, {}
        for play in position.legal_plays(roll):
            after = play.position
            if after.outcome is not None:
                cost = lost(after)
                values = [cost, cost, 1 if table.jacoby else cost, cost]
                ends[cost] = [np.array([1, cost > 1, cost > 2, 0, 0])]
            else:
                then = table[after]
                doubled = 2 * then.opponent_owns
                answer = min(1, doubled, 2 * doubled if table.beavers else doubled)
                cubes = then.cubeless, then.opponent_owns, max(then.centered, answer), max(then.owned, answer)
                values = [-value for value in cubes]
                ends.setdefault(values[0], []).append(np.array(attrs.astuple(then.chances.flip())))
            best = [max(pair) for pair in zip(best, values, strict=True)]
        weight = roll.weight / 36
        sums = [total + weight * value for total, value in zip(sums, best, strict=True)]
        near = [end for equity, some in ends.items() if equity > max(ends) - ROUNDED for end in some]
        chances += weight * np.array([np.min(near, axis=0), np.max(near, axis=0)])
    return tuple(sums), chances


def agrees(table: HypergammonTable, positions: list[Position]) -> None:
    for position in positions:
        solution = table[position]
        equities, chances = looked_ahead(table, position)
        stated = solution.cubeless, solution.owned, solution.centered, solution.opponent_owns
        assert stated == pytest.approx(equities, abs=ROUNDED)
        least, most = chances[0] - ROUNDED, chances[1] + ROUNDED
        stated_chances = np.array(attrs.astuple(solution.chances))
        assert ((least <= stated_chances) & (stated_chances <= most)).all()


WITHOUT: tuple[dict[str, bool], ...] = {"jacoby": False}, {"beavers": False}


def test_values_follow_from_the_next_roll(table: HypergammonTable) -> None:
    assert table.residual < ROUNDED
    agrees(table, batch.to_positions(every_position(1)[::12], checkers=1))


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, *WITHOUT], ids=str)
def test_every_value_follows_from_the_next_roll(tmp_path: Path, options: dict[str, bool]) -> None:
    with hypergammon.solve(tmp_path / "one", 1, **options) as table:
        assert table.residual < ROUNDED
        agrees(table, batch.to_positions(every_position(1), checkers=1))


@pytest.mark.long
def test_two_checkers(tmp_path: Path) -> None:
    boards = every_position(2)
    with hypergammon.solve(tmp_path / "two", 2) as table:
        agrees(table, batch.to_positions(np.random.default_rng(1).choice(boards, 300), checkers=2))
        assert table[Position.start("hypergammon2")].cubeless == pytest.approx(0.152244, abs=1e-6)
        races = bearoff.two_sided(10, 1)
        exact = races.equities(boards, 2)
        there = ~np.isnan(exact[:, 0])
        assert there.sum() == 100
        np.testing.assert_allclose(table.equities(boards[there]), exact[there], atol=ROUNDED)


def test_many_boards_at_once(table: HypergammonTable) -> None:
    boards = every_position(1)
    each = [table[position] for position in batch.to_positions(boards, checkers=1)]
    rolling = [(entry.cubeless, entry.owned, entry.centered, entry.opponent_owns) for entry in each]
    assert (table.equities(boards) == rolling).all()
    before = table.equities(boards, doubling=True)
    assert (
        before == [[entry.best(cube) for cube in ("none", "owned", "centered", "opponent_owns")] for entry in each]
    ).all()
    over = WON, Position.of(mine={20: 1}, theirs={"off": 1}, checkers=1)
    assert table.equities(batch.from_positions(over)).tolist() == [[2, 2, 1, 2], [-3, -3, -1, -3]]


def test_plays_are_ranked_by_what_they_leave(table: HypergammonTable) -> None:
    start = Position.start("hypergammon1")
    (play, equity), *_ = table.plays(start, (6, 4), "owned")
    assert equity == -table[play.position].opponent_owns
    assert table.plays(Position.of(mine={2: 1}, theirs={24: 1}, checkers=1), (6, 4))[0][1] == 1
    with pytest.raises(NotInTableError, match="the table has 1"):
        table.plays(Position.start(), (6, 4))


def test_a_beaver_where_both_are_right(table: HypergammonTable) -> None:
    """With the Jacoby rule it can be right to double, and to beaver."""
    verdicts = {
        position.id: table[position].verdict() for position in batch.to_positions(every_position(1), checkers=1)
    }
    assert set(verdicts.values()) >= {Verdict.NO_DOUBLE, Verdict.TAKE, Verdict.DROP}
    solution = attrs.evolve(table[Position.start("hypergammon1")], centered=-0.5, opponent_owns=-0.1)
    assert solution.verdict() is Verdict.BEAVER
    assert solution.best() == pytest.approx(-0.4)
    assert attrs.evolve(solution, beavers=False).verdict() is Verdict.TAKE


WRONG = {
    "cut short": lambda content: content[:-1],
    "too long": lambda content: content + b"0",
    "checksum": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    "later version": lambda content: content.replace(b"version 1", b"version 2", 1),
    "not that of": lambda _: b"gnubg-OS",
    "header": lambda _: b"",
}


@pytest.mark.parametrize("reason", WRONG)
def test_other_files(file: Path, tmp_path: Path, reason: str) -> None:
    (tmp_path / "wrong").write_bytes(WRONG[reason](file.read_bytes()))
    with pytest.raises(ParseError, match=reason):
        hypergammon.open(tmp_path / "wrong")


@loop.over("number", ["x", "nan", "-1", "-1.00e-07", "1e999", "9.99e+999", "inf", "0x1", "1_0", "7.00e+00", "\u0661"])
def test_numbers_of_a_header_with_its_checksum(file: Path, tmp_path: Path, number: str) -> None:
    """Whoever writes a file can write that, too."""
    header, content = file.read_bytes()[:256], file.read_bytes()[256:]
    lines = header.split(b"\n")[:3]
    of_search, of_rounding = re.findall(rb"\d\.\S+e-\d+", lines[2])
    for right in (of_search, of_rounding):
        text = b"\n".join([*lines[:2], lines[2].replace(right, number.encode()), b""])
        checksum = f"SHA-256 {hashlib.sha256(text + content).hexdigest()}\n".encode()
        (tmp_path / "wrong").write_bytes((text + checksum).ljust(255) + b"\n" + content)
        for check in (True, False):
            with wording.tells(ParseError, "wrong", "header"):
                hypergammon.open(tmp_path / "wrong", check=check)


@loop.rows("number", float("nan"), float("inf"), -4.0, 1e300)
def test_impossible_numbers_of_an_unfinished_table(tmp_path: Path, number: float) -> None:
    """They would be taken for what is solved."""
    part = tmp_path / "new.part"
    part.unlink(missing_ok=True)

    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        hypergammon.solve(tmp_path / "new", 1, progress=interrupt)
    part.write_bytes(part.read_bytes()[:-8] + np.array(number, "<f8").tobytes())
    with wording.tells(ParseError, "new.part", "unfinished"):
        hypergammon.solve(tmp_path / "new", 1)


def test_what_a_table_does_not_answer(file: Path) -> None:
    table = hypergammon.open(file)
    for position in (Position.start(), WON):
        assert position not in table
        assert table.get(position) is None
        with pytest.raises(NotInTableError):
            table[position]
    for look_up in (table.__contains__, table.get, table.__getitem__):
        with wording.tells(ArgumentError, "position must be a Position", "'start'"):
            look_up("start")  # type: ignore[arg-type]
    for question in (table.equities, table.chances):
        start = Position.start("hypergammon1")
        assert np.array_equal(question(start), question(batch.from_positions([start])))
        with wording.tells(ArgumentError, "checkers", "15", "1"):
            question(Position.start())
    table.close()
    with pytest.raises(ArgumentError, match="closed"):
        table[Position.start("hypergammon1")]
    for checkers in (0, 4, 2.5):
        with pytest.raises(ArgumentError, match="checkers"):
            hypergammon.solve(file, checkers)  # type: ignore[arg-type]


def test_what_is_interrupted_goes_on(file: Path, tmp_path: Path) -> None:
    """Wherever it was interrupted, the file is the same in the end; until then there is none."""
    path = tmp_path / "new"
    for stop in (0, 0.2, 0.6):

        def progress(done: float, stop: float = stop) -> None:
            if done >= stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            hypergammon.solve(path, 1, progress=progress)
        assert not path.exists()
        with pytest.raises(ParseError, match=r"new.part: this is not an unfinished table by these rules"):
            hypergammon.solve(path, 1, jacoby=False)
    hypergammon.solve(path, 1).close()
    assert path.read_bytes()[256:] == file.read_bytes()[256:]
    assert [*tmp_path.iterdir()] == [path]


def test_a_table_plays(file: Path) -> None:
    rules = attrs.evolve(MONEY, start="hypergammon1")
    state, rolls = MatchState.new(None, rules=rules).opening_roll(white=3, black=1), cycle([(2, 1), (4, 3), (1, 1)])
    with SimpleEngine.hypergammon(file) as perfect, hypergammon.open(file) as table:
        while state.result is None:
            assert perfect.evaluate(state).chances == table[state.position].chances or state.offer
            if Action.DOUBLE in state.legal_actions:
                place = "owned" if state.cube.owner else "centered"
                doubles = perfect.cube_analysis(state).best is Action.DOUBLE
                assert doubles == (table[state.position].verdict(place) is not Verdict.NO_DOUBLE)
                assert perfect.evaluate(state).equity == getattr(table[state.position], place)
            if state.dice:
                best, *_ = perfect.candidates(state)
                place = (
                    "centered"
                    if not state.cube.owner
                    else "owned"
                    if state.cube.owner is state.on_roll
                    else "opponent_owns"
                )
                assert best.equity == table.plays(state.position, state.dice, place)[0][1]
            decision = perfect.decide(state)
            state = state.roll(next(rolls)) if decision is Action.ROLL else state.apply(decision)


MOVES = {Action.PLAY, Action.ROLL, Action.DOUBLE, Action.TAKE}


def at_a_score(rng: random.Random, start: StartName) -> MatchState:
    """A state before a roll, after a few random moves in a match at a score."""
    while True:
        length = rng.choice([1, 2, 3, 3, 5])
        score = [rng.randrange(max(0, length - 3), length) for _ in range(2)]
        crawford = length - 1 in score and score[0] != score[1] and rng.random() < 0.5
        state = MatchState.new(length, rules=Rules(start=start), score=score, crawford=crawford)
        state = state.opening_roll(white=3, black=1)
        for _ in range(rng.randrange(12)):
            match rng.choice([action for action in state.legal_actions if action in MOVES]):
                case Action.PLAY:
                    state = state.play(rng.choice(state.legal_plays))
                case Action.ROLL:
                    state = state.roll(rng.choice(ROLLS))
                case action:
                    state = state.double() if action is Action.DOUBLE else state.take()
            if state.result:
                break
        if state.phase is Phase.TO_ROLL:
            return state


def chance_in(engine: SimpleEngine, met: MatchEquityTable, state: MatchState, player: Player) -> float:
    """Of winning the match, for the player who has just played."""
    if state.result:
        return chance_of(met.chance(state, player))
    if Action.DOUBLE not in state.legal_actions:
        return 1 - chance_of(engine.evaluate(state).mwc)
    no_double, take, drop = map(chance_of, engine.cube_analysis(state).mwc or ())
    return 1 - max(no_double, min(take, drop))


def chance_of(chance: float | None) -> float:
    assert chance is not None
    return chance


def agrees_at_scores(path: Path, start: StartName, count: int) -> None:
    rng = random.Random(1)
    with SimpleEngine.hypergammon(path) as engine, hypergammon.open(path) as table:
        met = table.met()
        for state in (at_a_score(rng, start) for _ in range(count)):
            player = cast("Player", state.on_roll)
            rolled = [(roll.weight / 36, state.roll(roll)) for roll in ROLLS]
            best = (
                weight * max(chance_in(engine, met, then.play(play), player) for play in then.legal_plays)
                for weight, then in rolled
            )
            assert engine.evaluate(state).mwc == pytest.approx(sum(best), abs=ROUNDED)


@each.first("count", [1, 40])
def test_matches_follow_from_the_next_roll(match_file: Path, count: int) -> None:
    """The rules of scores, the Crawford game and the cube are those of `MatchState`."""
    agrees_at_scores(match_file, "hypergammon1", count)


def test_a_match_equity_table(match_file: Path, tmp_path: Path) -> None:
    """It is what the opening rolls lead to, as far as the table goes, and reads back."""
    with hypergammon.open(match_file) as table, SimpleEngine.hypergammon(match_file) as engine:
        met = table.met()
        new = MatchState.new(3, rules=Rules(start="hypergammon1"), score=(1, 0))
        chances = []
        for mine, theirs in permutations(range(1, 7), 2):
            best = chance_of(engine.candidates(new.opening_roll(white=mine, black=theirs), 1)[0].mwc)
            chances.append(best if mine > theirs else 1 - best)
        assert met.chance(new, Player.WHITE) == pytest.approx(np.mean(chances), abs=ROUNDED)
        assert (len(met.before_crawford), met.name) == (25, "Hypergammon, then mec, gammon rate 0.95")
        ran = commands.run("hypergammon", "met", match_file, tmp_path / "met.xml", "--length", 3)
        assert ran.exit_code == 0
        np.testing.assert_allclose(
            equity.read_table(tmp_path / "met.xml").before_crawford, table.met(3).before_crawford, atol=1e-9
        )


def test_a_table_of_matches_has_columns(match_file: Path, table: HypergammonTable) -> None:
    start = Position.start("hypergammon1")
    with hypergammon.open(match_file) as matches:
        assert matches.column("none") == 0
        assert matches.columns[matches.column("owned", 3, 2, value=2)] == "3-2, owned at 2"
        assert matches.columns[matches.column("owned", 3, 2, value=4)] == "1-1"
        assert (matches.chances([start.points]) == table.chances([start.points])).all()
        assert start not in matches
        with pytest.raises(NotInTableError, match="of matches"):
            matches.plays(start, (2, 1))
        for score in ((), (4, 1), (1, -1)):
            with pytest.raises(ArgumentError, match="has no column for"):
                matches.column("centered", *score)
    assert table.column("owned") == 1
    for away in (1, 2):
        with pytest.raises(ArgumentError, match=f"has no column for {away}-{away}"):
            table.column("owned", away, away)
    with pytest.raises(ArgumentError, match="of money play"):
        table.met()


UNKNOWN = {
    "matches": (3, Rules(start="hypergammon1")),
    "15 checkers": (None, MONEY),
    "2 checkers": (None, attrs.evolve(MONEY, start="hypergammon2")),
    "without the Jacoby rule": (None, attrs.evolve(MONEY, start="hypergammon1", jacoby=False)),
    "0 beavers in a row": (None, attrs.evolve(MONEY, start="hypergammon1", beavers=0)),
    "2 beavers in a row": (None, attrs.evolve(MONEY, start="hypergammon1", beavers=2)),
    "without a cube": (None, attrs.evolve(MONEY, start="hypergammon1", cube=False)),
    "pip scoring": (None, Rules(start="hypergammon1", scoring="pips", cube=False)),
}


UNKNOWN_OF_MATCHES = {
    "money games with a cube": (None, attrs.evolve(MONEY, start="hypergammon1")),
    "needs more than 3 points": (4, Rules(start="hypergammon1")),
    "matches without a cube": (3, Rules(start="hypergammon1", cube=False)),
    "without the Crawford rule": (3, Rules(start="hypergammon1", crawford=False)),
    "15 checkers": (3, Rules()),
}


@loop.rows(("of_matches", "unknown"), (False, UNKNOWN), (True, UNKNOWN_OF_MATCHES))
def test_games_that_a_table_does_not_know(
    file: Path, match_file: Path, *, of_matches: bool, unknown: dict[str, tuple[int | None, Rules]]
) -> None:
    with SimpleEngine.hypergammon(match_file if of_matches else file) as perfect:
        for what, (length, rules) in unknown.items():
            with pytest.raises(EngineUnsupportedError, match=what):
                perfect.evaluate(MatchState.new(length, rules=rules).opening_roll(white=3, black=1))


def test_an_engine_by_its_name(file: Path) -> None:
    with SimpleEngine.open(f"hypergammon:{file}") as engine:
        assert engine.level == "exact"
    for settings in ({"level": 2}, {"rollout": Rollout(36)}):
        with pytest.raises(ArgumentError, match="exact: leave out level and rollout"):
            SimpleEngine.open(f"hypergammon:{file}", **settings)


def test_other_scores_are_estimated(file: Path, match_file: Path) -> None:
    new = MatchState.new(5, rules=Rules(start="hypergammon1")).opening_roll(white=3, black=1)
    with SimpleEngine.hypergammon(match_file, estimate=True) as engine:
        assert engine.level == "exact to 3 points, then estimated"
        assert engine.evaluate(new).mwc == pytest.approx(0.5, abs=0.2)
        assert engine.candidates(new)[0].level == engine.level
    with pytest.raises(ArgumentError, match="of money play"):
        SimpleEngine.hypergammon(file, estimate=True)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It makes the table of these rules, and replaces no file unless it is told to."""
    monkeypatch.chdir(tmp_path)
    made = commands.run("hypergammon", "solve", "a", "--checkers", 1)
    assert made.stdout.startswith("a is written: <HypergammonTable: 1 checker, Jacoby rule, beavers>, error at most ")
    before = Path("a").read_bytes()
    for arguments, named in ((("a",), "--force"), (("b", "--checkers", 4), "checkers"), (("",), "path")):
        refused = commands.run("hypergammon", "solve", *arguments)
        assert (refused.exit_code, Path("a").read_bytes()) == (2, before)
        assert named in refused.stderr
    assert [*Path().iterdir()] == [Path("a")]


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
def test_a_full_disk(tmp_path: Path) -> None:
    with commands.full_disk(5_000):
        ended = commands.main("hypergammon", "solve", tmp_path / "a", "--checkers", 1)
    assert ended[0] == 2
    assert "cannot be written: File too large" in ended[2]
    hypergammon.solve(tmp_path / "a", 1).close()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_one_maker_at_a_time(tmp_path: Path) -> None:
    def progress(_: float) -> None:
        with pytest.raises(ParseError, match="another run is writing to this file"):
            hypergammon.solve(tmp_path / "a", 1)

    hypergammon.solve(tmp_path / "a", 1, progress=progress).close()


@pytest.mark.parametrize(
    "arguments", [("hypergammon", "met", "none", "new"), ("evaluate", "--engine", "hypergammon:none", "A")]
)
def test_a_table_that_is_not_there(arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    refused = commands.run(*arguments)
    assert (refused.exit_code, refused.stderr) == (2, "Error: none: No such file or directory\n")
    assert not [*tmp_path.iterdir()]


def test_a_position_is_evaluated(file: Path, table: HypergammonTable) -> None:
    start = Position.start("hypergammon1")
    ran = commands.run("evaluate", "--engine", f"hypergammon:{file}", start.id)
    assert ran.exit_code == 0
    assert f"No double     {table[start].centered:+.3f}" in ran.stdout
