"""A pool of bots goes on, whoever joins, leaves, is repaired or fails, and wherever it is stopped."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest
from test_arena_laws import KINDS, NO_CUBE

import arena_calls
import each
import loop
import wording
from bots import chance, drawn, first, hitting
from gammonrules import Event, MatchState, arena, records
from gammonrules.arena import _results_file, _schedule
from gammonrules.arena._ranking import Ranking
from gammonrules.arena._work_units import Block, BlockResults
from gammonrules.errors import ArgumentError, BotError, ParseError
from gammonrules.match import End
from gammonrules.records import FindingKind


@pytest.fixture
def save(tmp_path: Path) -> Path:
    return tmp_path / "pool"


# Who plays ----------------------------------------------------------------------------------------------------------


class Told:
    """A `run` that plays nothing: the games follow from the names, and from which version of a bot plays."""

    def __init__(self, versions: dict[str, int], stop_after: int = 10**9) -> None:
        self.versions, self.stop_after, self.played = versions, stop_after, 0

    def __call__(self, function: Any, blocks: Iterable[Block]) -> Iterator[BlockResults]:
        for block in blocks:
            if self.played == self.stop_after:
                raise KeyboardInterrupt
            self.played += 1
            names = [function.plan.names[number] for number in (block.player, block.opponent)]
            dice = Random(f"{sorted((name, self.versions[name]) for name in names)} {block.first}")
            sign = 1 if names == sorted(names) else -1
            white, black = (float(dice.choice((-2, -1, 1, 3))) for _ in range(2))
            values = (white, black) if sign == 1 else (-black, -white)
            yield BlockResults(block, (values,), 0.5, records=(f"{names} {values}",) * 2)


def pool(names: Iterable[str], run: Callable[..., Any], save: Path | None = None, **settings: Any) -> arena.Results:
    players = {name: lambda state: state for name in names}
    return arena_calls.play(players, games=6, rules=NO_CUBE, save=save, workers=run, **settings)


@each.first("number", [*range(40)], of_these=12)
def test_whatever_happened_it_is_as_if_they_alone_had_played(number: int, tmp_path: Path) -> None:
    """Players join, leave, return and begin anew in any order, and runs are killed in the midst of a line.

    Then what is there counts as in an arena of these players alone; the file only grows, and so does the folder.
    """
    rng, versions = Random(number), dict.fromkeys("ABCDEFG", 0)
    there, save, folder = ["A", "B", "C"], tmp_path / "pool", tmp_path / "records"
    # a line is on the disk before its records are written, so it is only cut where there are none
    settings: dict[str, Any] = {"records": folder} if number % 2 else {}
    folder.mkdir()
    results = pool(there, Told(versions), save, **settings)
    for _ in range(8):
        before, known = save.read_bytes(), contents(folder)
        joining = rng.sample([name for name in versions if name not in there], rng.randint(0, 1))
        leaving = rng.sample(there, rng.randint(0, len(there) - 2))
        named = [name for name in there if name not in leaving]
        anew = rng.sample(named, rng.randint(0, 1))
        for name in anew:
            versions[name] += 1
        there = named + joining
        asked: dict[str, Any] = {"exclude": leaving, "rerun": anew}
        shuffled = rng.sample(there, len(there))
        for stop_after in (rng.randint(0, 4), 10**9):
            try:
                results = pool(shuffled, Told(versions, stop_after), save, **asked, **settings)
            except KeyboardInterrupt:
                if not settings:
                    written = save.read_bytes()
                    save.write_bytes(written[: max(len(before), len(written) - rng.randint(0, 300))])
            # what was asked for is in the file, unless nothing was written yet
            text = save.read_bytes().removeprefix(before)
            if text.count(b"\n") >= bool(leaving) + bool(anew or joining):
                asked = {}
        assert save.read_bytes().startswith(before)
        assert known.items() <= contents(folder).items()
        assert sorted(results.players) == sorted(there)
        assert results == pool(results.players, Told(versions))
        again = Told(versions)
        assert (pool(there, again, save, **settings), again.played) == (results, 0)


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@loop.rows(
    ("names", "asked", "error", "words"),
    ("AC", {}, ParseError, "this file has a player 'B', who is not among the players: name them, or let them leave"),
    ("ACD", {"exclude": "A"}, ArgumentError, "'A' is among the players"),
    ("ABC", {"rerun": "D"}, ArgumentError, "'D' is not among the players"),
    ("ABCD", {"rerun": "D"}, ParseError, "no player 'D'"),
    ("ABC", {"exclude": ["E"]}, ParseError, "no player 'E'"),
    ("ABC", {"exclude": 7}, ArgumentError, "exclude must be the name of a player, or several, not 7"),
    ("ABC", {"rerun": [7]}, ArgumentError, "rerun must be the name"),
    ("ABC", {"on_error": "go on"}, ArgumentError, 'on_error must be "stop", "forfeit" or "drop", not \'go on\''),
)
def test_who_cannot_leave_or_begin_anew(
    names: str, asked: dict[str, Any], error: type[Exception], words: str, tmp_path: Path
) -> None:
    file = tmp_path / "pool"
    file.unlink(missing_ok=True)
    pool("ABC", Told(dict.fromkeys("ABC", 0)), file)
    text = file.read_bytes()
    with wording.raises(error, words):  # type: ignore[type-var]
        pool(names, Told({}), file, **asked)
    assert file.read_bytes() == text
    if "on_error" not in asked:
        with pytest.raises(ArgumentError):
            pool(names, Told({}), None, **({"exclude": "B"} | asked))


@loop.rows(
    "line",
    {"left": [3]},
    {"left": 0},
    {"players": ["D"], "code": ["1"]},
    {"left": ["A"]},
    {"dropped": -1, "why": ""},
    {"dropped": 1},
    {"on_error": "go on"},
    {"players": ["D"] * 4_100, "code": [None] * 4_100},
    {"players": [7], "code": [None]},
    {"players": [0, 3], "first": 9, "values": [1, 1], "seconds": 1, "losses": None},
    {"players": [1, 0], "first": 9, "values": [1, 1], "seconds": 1, "losses": None},
    {"players": [0, 1], "first": 9, "values": [0, 1], "seconds": 1, "losses": None},
    {"players": [0, 1], "first": 0, "values": [1, 1], "seconds": 1, "losses": None},
    {"players": [0, 1], "first": 9, "values": [1, 1], "seconds": 1, "losses": None, "forfeits": [3, 0]},
    {"players": [0, 1], "first": 9, "values": [1, 1], "seconds": 1, "losses": None, "forfeits": 1},
)
def test_a_line_that_no_pool_writes(line: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "pool"
    file.unlink(missing_ok=True)
    pool("ABC", Told(dict.fromkeys("ABC", 0)), file)
    file.write_bytes(text := file.read_bytes() + _results_file._saved_line(line))
    with wording.raises(ParseError, "line 11 "):
        pool("ABC", Told({}), file)
    assert file.read_bytes() == text


# Who fails ----------------------------------------------------------------------------------------------------------


def fails_at(state: MatchState) -> bool:
    """In some plays, which only the state tells."""
    return state.dice is not None and sum(state.position.points[1:9]) % 11 == 3


def raises(state: MatchState) -> Any:
    if fails_at(state):
        raise ValueError("no idea")
    return first(state)


def cheats(state: MatchState) -> Any:
    return Event("play", argument="24/1") if fails_at(state) else first(state)


def raises_in_a_policy(turns: Any, rng: Any) -> Any:
    if (turns.boards[:, 1:9].sum(axis=1) % 11 == 3).any():
        raise ValueError("no idea")
    return hitting(turns, rng)


FAULTY: dict[str, Any] = {"raises": raises, "cheats": cheats, "policy": arena.Policy(raises_in_a_policy)}
GOOD: dict[str, Any] = {"first": first, "chance": chance, "drawn": arena.Policy(drawn)}


@loop.over("name", FAULTY)
@each.first("kind", KINDS)
def test_forfeits(name: str, kind: dict[str, Any], tmp_path: Path) -> None:
    """The opponent gets what the cube says, or the match; so the records say, and all else stays as it is."""
    folder = tmp_path / name
    players, settings = {**GOOD, name: FAULTY[name]}, {"games": 4, "on_error": "forfeit", **kind}
    results = arena_calls.play(players, **settings, records=folder, save=folder.with_suffix(".save"), workers=1)
    assert arena_calls.play(players, **settings, workers=map) == results
    alone = arena_calls.play(GOOD, **{**settings, "on_error": "stop"}, workers=1)
    assert [pairing for pairing in results.pairings if name not in pairing.players] == list(alone.pairings)
    forfeited = 0
    for path in folder.iterdir():
        match = records.load(path)
        assert {finding.kind for finding in records.referee(match)} <= {FindingKind.FORFEIT}
        *_, final = match.games[-1].states()
        if final.result.end is End.FORFEITED:
            forfeited += 1
            assert match.players[0 if final.result.winner == "black" else 1] == name
            assert final.winner is final.result.winner if final.length else final.result.points == final.cube.value
    counts = [dict(zip(pairing.players, pairing.forfeits, strict=True)) for pairing in results.pairings]
    assert sum(sum(count.values()) for count in counts) == sum(count.get(name, 0) for count in counts) == forfeited > 0
    assert name in str(results)
    # the file has them, and needs not be told again
    assert (
        arena_calls.play(players, **{**settings, "on_error": None}, save=folder.with_suffix(".save"), workers=no_run)
        == results
    )


def no_run(_: Any, blocks: Iterable[Block]) -> Iterator[BlockResults]:
    assert not [*blocks]
    return iter(())


@loop.over("name", FAULTY)
def test_drop(name: str, tmp_path: Path) -> None:
    """Who fails leaves with all games, in any number of processes, and stays away until they begin anew."""
    save = tmp_path / name
    players, settings = {name: FAULTY[name], **GOOD}, {"games": 4, "rules": NO_CUBE}
    results = arena_calls.play(players, **settings, save=save, on_error="drop", workers=1)
    assert [who for who, _ in results.dropped] == [name]
    assert arena_calls.play(players, **settings, on_error="drop", workers=map) == results
    alone = arena_calls.play(GOOD, **settings, workers=1)
    assert (results.players, results.pairings) == (alone.players, alone.pairings)
    assert f"{name} was dropped" in str(results)
    assert results.to_dict()["dropped"] == [[*results.dropped[0]]]
    for named in (players, GOOD):
        assert arena_calls.play(named, **settings, save=save, workers=no_run) == results
    repaired = arena_calls.play({**GOOD, name: first}, **settings, save=save, rerun=name, workers=1)
    assert repaired == arena_calls.play({**GOOD, name: first}, **settings, workers=1)
    assert arena_calls.play(GOOD, **settings, save=save, exclude=name, workers=no_run) == alone


def test_the_last_two_are_not_dropped(save: Path) -> None:
    told = list[arena.Progress]()
    for on_error in ("stop", "drop", None):
        with pytest.raises(BotError, match="no idea"):
            arena_calls.play(
                {"first": first, "raises": raises},
                games=12,
                rules=NO_CUBE,
                save=save,
                on_error=on_error,  # type: ignore[arg-type]
                progress=told.append,
                workers=1,
            )
    # what is there is told before it stops
    assert told[-1].results().pairings[0].games == told[-1].finished == 2 * (save.read_bytes().count(b'"first"'))


# Who is late, or ends a process -------------------------------------------------------------------------------------

PROGRAM = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    if asked["ask"] == "hello":
        print(json.dumps({"id": 0, "name": "slow", "version": "1", "asks": ["decide:plays"]}), flush=True)
    else:
        time.sleep(30)
"""


def test_the_timeout_is_that_of_programs_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammonrules._shared.work.programs._SECONDS_TO_END", 0.1)
    (tmp_path / "slow.py").write_text(PROGRAM)
    program = f"program:{sys.executable} {tmp_path / 'slow.py'}"
    with pytest.raises(BotError, match=r"0\.5 seconds"):
        arena_calls.play({"first": first, "slow": program}, games=2, rules=NO_CUBE, timeout=0.5, workers=1)
    results = arena_calls.play(
        {"first": first, "slow": program}, games=2, rules=NO_CUBE, timeout=0.5, on_error="forfeit", workers=1
    )
    assert results.pairings[0].forfeits == (0, 2)


def stubborn(state: MatchState) -> Any:
    """It catches whatever is raised in it."""
    if not fails_at(state):
        return first(state)
    swallows = partial(swallow, partial(swallow, partial(swallow, busy)))
    return swallow(swallows)


def swallow(function: Callable[[], object]) -> NoReturn:
    while True:
        try:
            function()
        except BaseException:  # noqa: BLE001 - that is what it is for
            continue


def busy() -> NoReturn:
    while True:
        pass


def ends(state: MatchState) -> Any:
    return os._exit(3) if fails_at(state) else first(state)


@pytest.mark.skipif(sys.platform == "win32", reason="bots are not interrupted there")
@pytest.mark.long
@each.first("bot", [ends, stubborn])
def test_whose_process_ends(bot: Any) -> None:
    """They are named, forfeit as if they had raised an exception, or are dropped."""
    players, settings = {"first": first, "chance": chance, "bad": bot}, {"games": 4, "rules": NO_CUBE, "timeout": 1}
    with pytest.raises(BotError, match="bad: "):
        arena_calls.play(players, **settings, workers=2)
    dropped = arena_calls.play(players, **settings, on_error="drop", workers=2)
    assert [who for who, _ in dropped.dropped] == ["bad"]
    raising = arena_calls.play({**players, "bad": raises}, **settings, on_error="forfeit", workers=1)
    assert arena_calls.play(players, **settings, on_error="forfeit", workers=2) == raising


@pytest.fixture
def rounds(monkeypatch: pytest.MonkeyPatch) -> list[Ranking]:
    """The rankings that "ranked" has computed, one for each round."""
    computed = list[Ranking]()

    class Counted(Ranking):
        def __init__(self, *arguments: Any) -> None:
            computed.append(self)
            super().__init__(*arguments)

    monkeypatch.setattr(_schedule, "Ranking", Counted)
    return computed


def test_processes_stay_while_players_are_ranked(tmp_path: Path, rounds: list[Ranking]) -> None:
    """All rounds have one set of them, and each pair the dice that it has by itself."""

    def notes(state: MatchState) -> Any:
        (tmp_path / str(os.getpid())).touch()
        return first(state)

    settings: dict[str, Any] = {"players": {"notes": notes, "chance": chance}, "rules": NO_CUBE, "seed": 1}
    ranked = arena_calls.play(**settings, until="ranked", games=20, workers=2)
    assert len(rounds) > 2
    assert len([*tmp_path.iterdir()]) == 2
    alone = arena_calls.play(**settings, games=ranked.pairings[0].games, workers=1)
    assert alone.pairings[0].values == ranked.pairings[0].values


@pytest.mark.long
def test_whose_process_ends_in_a_later_round(tmp_path: Path, rounds: list[Ranking]) -> None:
    now = tmp_path / "now"

    def bad(state: MatchState) -> Any:
        return os._exit(3) if now.exists() else first(state)

    def end_it_later(_: arena.Progress) -> None:
        if len(rounds) == 3:
            now.touch()

    players = {"first": first, "chance": chance, "bad": bad}
    settings: dict[str, Any] = {"until": "ranked", "rules": NO_CUBE, "games": 40, "progress": end_it_later}
    with pytest.raises(BotError, match=r"bad: .* status 3"):
        arena_calls.play(players, **settings, workers=2)
    now.unlink()
    rounds.clear()
    dropped = arena_calls.play(players, **settings, workers=2, on_error="drop")
    assert [who for who, _ in dropped.dropped] == ["bad"]
    assert dropped.players == ("first", "chance")
