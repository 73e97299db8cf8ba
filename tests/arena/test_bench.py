"""What bots lose in the decisions of the benchmark: laws, bots that go wrong, and files that were changed."""

from __future__ import annotations

import gzip
import hashlib
import json
import runpy
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import cache, partial
from itertools import pairwise
from math import inf, nan
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import numpy as np
import pytest
from hypothesis import given, strategies as st

import arena_bots
import bots
import loop
import wording
from gammonrules import Action, Event, MatchState, Phase, arena
from gammonrules._arrays.checks import Floats
from gammonrules._json_protocol.flat_states import flat
from gammonrules.arena import BenchResults, MeanLoss
from gammonrules.arena._benchmark_decisions import PUBLISHED, read_decisions
from gammonrules.arena._mean_losses import Sample, mean_loss
from gammonrules.arena._programs import asked_program
from gammonrules.errors import (
    ArgumentError,
    BotError,
    EngineReplyError,
    EngineStartError,
    EngineUnsupportedError,
    ParseError,
)

DATA = Path(__file__).parents[1] / "data" / "benchmark.jsonl.gz"
BENCHMARK = Path(__file__).parents[2] / "bot_benchmark"
DECISIONS = read_decisions(DATA).positions
PLAYS, CUBES = (len(DECISIONS["rolled out", ask]) for ask in ("plays", "cubes"))
FURTHER_PLAYS, FURTHER_CUBES = (len(DECISIONS["judged", ask]) for ask in ("plays", "cubes"))
RACES = len(DECISIONS["race", "plays"])


def asked(bot: Any, **settings: Any) -> BenchResults:
    return arena.bench(bot, data=DATA, **settings)


LOSSES = {each.state: each.losses for kind in DECISIONS.values() for questions in kind for each in questions}


def by_rank(rank: Callable[[Any], Any]) -> Callable[[MatchState], Any]:
    """A bot that knows what each action loses."""

    def bot(state: MatchState) -> Any:
        chosen = rank(LOSSES[state])
        if state.dice:
            return Event(Action.PLAY, argument=chosen)
        return Action.ROLL if chosen == "roll" else Event(Action(chosen))

    return bot


best = by_rank(lambda losses: min(losses, key=losses.get))
worst = by_rank(lambda losses: max(losses, key=losses.get))


@cache
def asked_all(bot: Any) -> BenchResults:
    return asked(bot, full=True)


# Laws -----------------------------------------------------------------------------------------------------------------


def test_the_best_bot_loses_nothing_and_no_bot_more_than_the_worst() -> None:
    perfect, awful, some = map(asked_all, (best, worst, bots.first))
    assert perfect.worst == []
    for ask in ("plays", "cubes"):
        for drawn in ("at random", "disagreement", "race"):
            zero, most, between = (results.number(ask, drawn) for results in (perfect, awful, some))
            assert zero.decisions == most.decisions == between.decisions > 0
            assert (zero.loss, zero.mistakes) == (0, 0)
            assert str(zero).startswith("no mistake in ")
            assert most.loss >= between.loss >= 0
    assert awful.max_loss <= max(loss for each in awful.answers if (loss := each.loss))
    assert all(worse.loss >= other.loss for worse, other in pairwise(awful.worst))


def test_a_mean_is_that_of_the_answers() -> None:
    results = asked(bots.first)
    for ask, each in (("plays", 1), ("cubes", 2)):
        rows = [answer for answer in results.answers if answer.ask == ask and not answer.selected_by]
        number = results.number(ask)
        assert number.decisions == len(rows) == each * len({answer.id for answer in rows})
        assert number.loss == pytest.approx(1000 * sum(answer.loss for answer in rows) / len(rows))
        kinds = {answer.state.position.kind for answer in rows}
        assert sum(results.number(ask, kind=kind).decisions for kind in kinds) == number.decisions
    assert results.plays.low <= results.plays.loss <= results.plays.high
    assert (results.cubes.low, results.cubes.high) == (None, None), "four positions tell no interval"


def test_two_bots_are_compared_decision_by_decision() -> None:
    first, other = asked(bots.first), asked(best)
    forth, back = first.number("plays", than=other), other.number("plays", than=first)
    assert forth.loss == pytest.approx(first.plays.loss)
    assert (forth.loss, forth.low, forth.high) == pytest.approx((-back.loss, -back.high, -back.low))
    assert first.number("plays", than=first).loss == 0
    same = first.number("plays", than=first)
    assert (same.mistakes, str(same)) == (0, f"no difference in {same.decisions} decisions")


def test_who_selected_positions_has_no_number_there() -> None:
    for name in ("gnubg:1", "bgsage:2"):
        results = asked(bots.first, name=name)
        assert results.is_selector
        assert results.number("plays", "disagreement") == MeanLoss()
        assert results.plays.decisions > 0
        assert asked(bots.first).number("plays", "disagreement", than=results) == MeanLoss()
    assert not asked(bots.first, name="gnubg:2").is_selector


def test_a_policy_without_a_cube_has_no_number_for_it() -> None:
    results = asked(arena.Policy(bots.any_play))
    assert (results.cubes, results.plays.decisions > 0) == (arena.BenchLosses(), True)
    assert {answer.ask for answer in results.answers} == {"plays"}
    told = results.to_dict()
    assert (told["cubes"]["asked"], told["cubes"]["loss"]) == (0, None)
    assert asked(arena.Policy(bots.any_play, bots_cube)).cubes.decisions > 0


def bots_cube(states: Any, _: object) -> Any:
    return np.where(states.phase == Phase.DOUBLED, Action.TAKE, Action.ROLL)


def test_a_fixed_part_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammonrules.arena._bench.FIRST", {"plays": 3, "cubes": 2})
    seen = list[tuple[int, int]]()
    few = asked(bots.first, progress=lambda done, total: seen.append((done, total)))
    assert [answer.id for answer in few.answers] == [
        *(each.id for [each] in DECISIONS["rolled out", "plays"][:3]),
        *(each.id for questions in DECISIONS["rolled out", "cubes"][:2] for each in questions),
    ]
    assert {answer.part for answer in few.answers} == {"rolled out"}
    assert seen == [(done, 5) for done in range(1, 6)]
    every = {(answer.part, answer.id) for answer in asked_all(bots.first).answers}
    assert len(every) == sum(map(len, DECISIONS.values()))


def test_the_library_has_decisions() -> None:
    results = arena.bench(bots.first)
    assert results.sha256 == PUBLISHED
    assert results.plays.decisions > 0


# Estimates and intervals ----------------------------------------------------------------------------------------------


def sample(losses: Floats, judged: Floats | None = None, error: float = 0) -> Sample:
    judged = np.zeros(len(losses)) if judged is None else judged
    return Sample(losses, judged, error, len(losses), int(np.count_nonzero(losses)))


def estimate(known: Sample, further: Sample | None = None, *, limit: float = 1.9, is_difference: bool = True) -> Any:
    """In points."""
    told = mean_loss(known, further or sample(np.zeros(0)), limit=limit, is_difference=is_difference)
    return SimpleNamespace(loss=told.loss / 1000, low=told.low / 1000, high=told.high / 1000)


def populations(rng: np.random.Generator, share: float) -> Iterator[tuple[Floats, Floats]]:
    """Losses as bots have them, most 0 and few large, and the differences of two bots; with what level 3 says of each.

    It overlooks some, sees others where there are none, and is wrong by half about what it sees.
    """
    lost = rng.random(100_000) < share
    losses = np.where(lost, rng.lognormal(-3.5, 1.1, 100_000), 0).clip(0, 1.9)
    seen = np.where(lost, losses, rng.lognormal(-4, 1, 100_000)) * rng.lognormal(0, 0.5, 100_000)
    judged = np.where(lost ^ (rng.random(100_000) < 0.3 * share), seen, 0).clip(0, 1.9)
    yield losses, judged
    order = rng.permutation(100_000)
    yield losses[order] - losses, judged[order] - judged


def covered(rng: np.random.Generator, losses: Floats, judged: Floats, count: int, further: int, times: int) -> float:
    """How many in a hundred intervals of so many positions have the true mean."""
    held = 0
    for _ in range(times):
        drawn = rng.integers(len(losses), size=count)
        others = judged[rng.integers(len(judged), size=further)]
        told = estimate(sample(losses[drawn], judged[drawn]), sample(others, others))
        held += told.low <= losses.mean() <= told.high
    return 100 * held / times


SHARES_AND_COUNTS = [(share, count) for share in (0.03, 0.1, 0.2, 0.4) for count in (10, 30, 75, 150)]


@pytest.mark.long
@loop.rows(("share", "count"), *SHARES_AND_COUNTS)
def test_intervals_cover(share: float, count: int) -> None:
    """2,000 samples each, with and without further positions."""
    rng = np.random.default_rng(7)
    for losses, judged in populations(rng, share):
        for further in (0, 13 * count):
            assert covered(rng, losses, judged, count, further, times=2000) >= 94


@loop.rows(("share", "count"), (0.1, 30), (0.3, 150))
def test_some_intervals_cover(share: float, count: int) -> None:
    rng = np.random.default_rng(7)
    for losses, judged in populations(rng, share):
        assert covered(rng, losses, judged, count, 13 * count, times=200) >= 92


def test_further_positions_narrow_the_interval() -> None:
    """As far as what level 3 says of the known ones agrees with what these lose; and not at all if it says nothing."""
    rng = np.random.default_rng(7)
    for losses, judged in populations(rng, 0.3):
        known, others = sample(losses[:150], judged[:150]), sample(judged[150:2150], judged[150:2150])
        alone, both = estimate(known), estimate(known, others)
        assert both.high - both.low < 0.8 * (alone.high - alone.low)
        exact = estimate(sample(losses[:150], losses[:150]), sample(losses[150:2150], losses[150:2150]))
        assert exact.loss == pytest.approx(losses[:2150].mean())
        for nothing in (np.zeros(150), -judged[:150]):  # nor if it says the opposite
            assert estimate(sample(losses[:150], nothing), others) == alone
        assert estimate(known, sample(np.zeros(2000), np.zeros(2000))) == alone
        assert estimate(known, sample(judged[:9], judged[:9])) == alone, "nine are too few"
        nine = sample(losses[:9], judged[:9])
        assert mean_loss(nine, others, limit=2, is_difference=True).loss == 1000 * losses[:9].mean()


@given(st.integers(0, 2**32), st.floats(-1, 3))
def test_what_is_judged_is_corrected(seed: int, steep: float) -> None:
    """By the line that fits the known positions best; a falling one tells nothing, and 2 is the steepest."""
    rng = np.random.default_rng(seed)
    judged = rng.exponential(0.1, 540)
    losses = steep * judged[:40] + rng.normal(0, 0.001, 40)
    slope = min(max(0, np.polyfit(judged[:40], losses, 1)[0]), 2)
    told = estimate(sample(losses, judged[:40]), sample(judged[40:], judged[40:]))
    corrected = losses.mean() + slope * (judged.mean() - judged[:40].mean())
    assert told.loss == pytest.approx(corrected)
    assert told.low <= told.loss <= told.high


def test_where_level_3_sees_more_than_in_the_known_positions_it_may_be_more_wrong() -> None:
    rng = np.random.default_rng(7)
    [(losses, judged), _] = populations(rng, 0.3)
    known, few = sample(losses[:150], judged[:150]), judged[150:2150]
    usual, worse = (estimate(known, sample(more, more)) for more in (few, np.append(few, np.full(100, 0.5))))
    down, far_down = usual.loss - usual.low, worse.loss - worse.low
    assert far_down > 1.5 * down


def test_intervals_count_the_errors_of_losses() -> None:
    rng = np.random.default_rng(7)
    losses = rng.exponential(0.02, 100)
    exact, rolled_out = (estimate(sample(losses, error=error), limit=2) for error in (0, 0.01))
    assert exact.low - 0.02 < rolled_out.low < exact.low < exact.loss
    assert exact.loss < exact.high < rolled_out.high < exact.high + 0.02
    assert exact.high - exact.loss > exact.loss - exact.low, "it is skew"
    assert mean_loss(sample(losses[:9]), sample(losses[:0]), limit=2, is_difference=False).low is None
    far = estimate(sample(np.zeros(100)), limit=2)
    assert (far.low, far.high) == pytest.approx((-0.059, 0.059), abs=1e-3), "up to 3% may lose all of it"
    assert estimate(sample(np.zeros(100)), is_difference=False).low == 0


def test_as_many_plays_as_are_needed_tell_two_bots_apart() -> None:
    """In four of five samples, a 95% interval leaves 0 out."""
    if not (script := BENCHMARK / "needed.py").exists():
        pytest.skip("the benchmark is not here")
    count = round(runpy.run_path(str(script))["needed"](1.7, 13.7))
    samples = np.random.default_rng(7).normal(1.7, 13.7, (4000, count))
    apart = samples.mean(axis=1) > 1.96 * samples.std(axis=1, ddof=1) / count**0.5
    assert (count, apart.mean()) == (510, pytest.approx(0.8, abs=0.03))


# Functions that go wrong ----------------------------------------------------------------------------------------------


def raising(error: BaseException) -> Callable[[MatchState], NoReturn]:
    def bot(_: MatchState) -> NoReturn:
        raise error

    return bot


@loop.rows(
    ("reply", "words", "is_illegal"),
    (lambda _: Event(Action.PLAY, argument="24/1"), "not legal", True),
    (lambda _: Event(Action.TAKE), "not legal", True),
    (lambda _: None, "not a Play, an Event or an action without an argument", False),
    (raising(LookupError("nothing here")), "it raised LookupError: nothing here", False),
    (raising(SystemExit("nothing here")), "it raised SystemExit: nothing here", False),
    (raising(bots.MuteError()), "it raised MuteError: its text cannot be shown", False),
    (raising(EngineUnsupportedError("nothing here")), "nothing here", False),
    (lambda _: Event(Action.RESIGN), "of which the benchmark says nothing", False),
)
def test_what_is_left_unanswered_loses_most(
    reply: Callable[[MatchState], Any], words: str, *, is_illegal: bool
) -> None:
    """So that nobody gains by it, not even by an error of engines."""
    results = asked(lambda state: reply(state) if state.dice else bots.first(state), full=True)
    bad = [answer for answer in results.answers if answer.ask == "plays"]
    assert all(words in answer.problem and answer.is_illegal is is_illegal for answer in bad)
    assert {(answer.loss == max(LOSSES[answer.state].values()), answer.action) for answer in bad} == {(True, "")}
    told = results.to_dict()["plays"]
    number = PLAYS + FURTHER_PLAYS + RACES
    assert (told["illegal"], told["unanswered"]) == ((number, 0) if is_illegal else (0, number))
    for drawn in ("at random", "disagreement", "race"):
        for than in (None, asked_all(bots.first)):
            awful = asked_all(worst).number("plays", drawn, than=than)
            assert results.number("plays", drawn, than=than).loss == awful.loss
    assert results.worst == [answer for answer in results.worst if answer.ask == "cubes"]


@loop.rows(
    ("start", "words"),
    (lambda: 1 / 0, "ZeroDivisionError"),
    (lambda: None, "context manager"),
    (lambda: raising(bots.MuteError())(MatchState.new(3)), "its text cannot be shown"),
)
def test_an_engine_whose_maker_fails(start: Callable[[], Any], words: str) -> None:
    with wording.tells(EngineStartError, "<lambda>: ", words) as caught:
        asked(arena.EnginePlayer(start))
    assert not isinstance(caught.value.__cause__, EngineStartError)


def values_at(plain: Any, value: Any) -> Iterator[tuple[object, object]]:
    """Each value of the JSON, with what is at the same path of attributes and keys."""
    if not isinstance(plain, dict):
        yield plain, value
        return
    for name, inside in plain.items():
        yield from values_at(inside, value[name] if isinstance(value, dict) else getattr(value, name))


def test_attributes_have_the_paths_of_the_json() -> None:
    for results in (asked(bots.first, full=True), asked(bots.first, name="gnubg:1"), asked(lambda _: None)):
        assert json.loads(results.to_json()) == json.loads(json.dumps(results.to_dict()))
        pairs = [*values_at(json.loads(results.to_json()), results)]
        assert len(pairs) > 60
        assert [plain for plain, _ in pairs] == [value for _, value in pairs]


def test_results_are_printed_as_two_numbers() -> None:
    results = asked(bots.first)
    plays, cubes = results.number("plays"), results.number("cubes")
    assert str(results).splitlines() == [
        "first: losses in thousandths of a point",
        f"  plays  {plays}, PR {plays.loss / 2:.2f}",
        f"  cubes  {cubes}, PR {cubes.loss / 2:.2f}",
    ]
    lines = str(asked(lambda _: None)).splitlines()
    assert [line.split("  ")[-1] for line in lines[1:]] == [
        f"none of {PLAYS} answered",
        f"none of {2 * CUBES} answered",
    ]
    # a policy without a cube is not asked
    assert len(str(asked(arena.Policy(lambda turns, _: turns.random_rows()))).splitlines()) == 2
    stopped = str(asked(raising(EngineReplyError("castle: on fire"))))
    assert stopped.splitlines()[1:] == ["  it could not be asked any more: castle: on fire"]
    assert str(asked(raising(arena_bots.MuteEngineError()))).endswith(" any more: its text cannot be shown")


def test_what_an_engine_does_not_support_does_not_count() -> None:
    class Some:
        def decide(self, state: MatchState) -> Any:
            if state.dice and state.position.is_race:
                raise EngineUnsupportedError("nothing here")
            return bots.first(state)

    results = asked(arena.EnginePlayer(lambda: nullcontext(Some())), full=True)
    told = results.to_dict()["plays"]
    races = sum(
        question.state.position.is_race
        for kind, ask in DECISIONS
        for [question] in DECISIONS[kind, ask][: (ask == "plays") * 99]
    )
    assert (told["unsupported"], told["unanswered"], told["illegal"]) == (races, 0, 0)
    assert results.number("plays", "race").decisions == 0
    every = asked_all(bots.first)
    assert results.plays.decisions == every.number("plays", than=results).decisions < every.plays.decisions
    assert every.number("plays", than=results).loss == 0


def test_a_late_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammonrules.arena._bench.FIRST", {"plays": 2, "cubes": 0})
    results = asked(lambda _: time.sleep(5), timeout=0.05)
    assert [answer.problem for answer in results.answers] == ["it did not answer within 0.05 seconds"] * 2


# Programs -------------------------------------------------------------------------------------------------------------

PROGRAM = """
import json, sys, time
for line in sys.stdin:
    question = json.loads(line)
    id, state = question["id"], question.get("state")
    if question["ask"] == "hello":
        answer = {"id": 0, "name": "mine", "version": "1", "asks": ["decide"]} | HELLO
    elif state["dice"]:
        answer = {"id": id, **PLAY(id, state, question)}
    else:
        answer = {"id": id, "do": "take" if state["offer"] else "roll"}
    print(json.dumps(answer) if isinstance(answer, dict) else answer, flush=True)
"""


def program(folder: Path, play: str = "{}", hello: str = "{}") -> list[str]:
    path = folder / "bot.py"
    path.write_text(f"HELLO = {hello}\ndef PLAY(id, state, question):\n    return {play}\n{PROGRAM}", encoding="utf-8")
    return [sys.executable, "-I", "-S", str(path)]


def test_a_program_answers_with_boards_and_moves(tmp_path: Path) -> None:
    """It is told no answer: a state, and nothing else."""
    boards, moves = {}, {}
    for [question] in DECISIONS["rolled out", "plays"]:
        points, play = json.dumps(flat(question.state)["points"]), question.state.legal_plays[0]
        boards[points] = [*play.position.flip().points]
        moves[points] = [[move.from_point, move.to_point] for move in play.moves]
    (tmp_path / "boards.json").write_text(json.dumps(boards))
    (tmp_path / "moves.json").write_text(json.dumps(moves))
    expected = asked(bots.first)
    for file, key in (("boards", "points"), ("moves", "moves")):
        look = f"json.load(open({str(tmp_path / f'{file}.json')!r}))[json.dumps(state['points'])]"
        more = ', "do": "play"' if key == "moves" else ""
        results = asked(program(tmp_path, f'{{"{key}": {look}{more}}}'))
        assert [each.loss for each in results.answers] == [each.loss for each in expected.answers]
        assert results.bot == "mine"


@loop.over("wants", ([], ["plays"]))
def test_what_a_program_is_told(tmp_path: Path, wants: list[str]) -> None:
    """The state, and the boards after the legal plays if it wants them."""
    log = tmp_path / "log"
    log.unlink(missing_ok=True)
    play = f"open({str(log)!r}, 'a').write(json.dumps(question) + chr(10)) and {{}}"
    asked(program(tmp_path, play, f'{{"wants": {wants}}}'))
    told = [json.loads(line) for line in log.read_text().splitlines()]
    for number, (question, [each]) in enumerate(zip(told, DECISIONS["rolled out", "plays"], strict=True), 1):
        plays = question.pop("plays", None)
        assert question == {"id": number, "ask": "decide", "state": flat(each.state)}
        boards = [[*play.position.flip().points] for play in each.state.legal_plays]
        assert plays == (boards if wants else None)


def test_a_program_without_a_cube(tmp_path: Path) -> None:
    results = asked(program(tmp_path, hello='{"asks": ["decide:plays", "plays"]}'))
    assert {answer.ask for answer in results.answers} == {"plays"}


def test_a_program_of_this_protocol(tmp_path: Path) -> None:
    assert asked(program(tmp_path, hello='{"protocol": 1}')).cubes.decisions > 0


def test_no_bots() -> None:
    for bot in ("nobody", 5, [], "program:"):
        with pytest.raises(ArgumentError):
            asked(bot)
    with pytest.raises(EngineStartError):
        asked("program:no-such-program")
    with pytest.raises(ArgumentError, match="timeout"):
        asked(bots.first, timeout=0)


# Files ----------------------------------------------------------------------------------------------------------------


def packed(header: dict[str, Any], lines: bytes) -> bytes:
    return gzip.compress(json.dumps(header).encode() + b"\n" + lines)


HEADER, _, LINES = gzip.decompress(DATA.read_bytes()).partition(b"\n")


@loop.rows(
    ("content", "words"),
    (packed(json.loads(HEADER), LINES.replace(b"0.", b"1.", 1)), "it was changed"),
    (packed(json.loads(HEADER), LINES[:-9]), "it was changed"),
    (packed(json.loads(HEADER) | {"version": 3}, LINES), "it is version 3 of the benchmark, and this is 2"),
    (packed(json.loads(HEADER) | {"version": True}, LINES), "it is version True"),
    (packed({"version": 1}, LINES), "no file of the benchmark's decisions"),
    (DATA.read_bytes()[:-40], "no file of the benchmark's decisions"),
)
def test_files_that_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "mine.gz"
    path.write_bytes(content)
    with pytest.raises(ParseError, match=rf"^mine\.gz: .*{words}"):
        arena.bench(bots.first, data=path)


ROLLED_OUT, FURTHER, RACE = (
    next(line for line in LINES.splitlines() if json.loads(line).keys() >= {key}) for key in ("state", "xgid", "race")
)


def changed(line: bytes, **fields: Any) -> bytes:
    """A decision of which some fields are others; None takes them away."""
    form = json.loads(line) | fields
    return json.dumps({key: value for key, value in form.items() if value is not None}).encode()


@loop.rows(
    "line",
    b"hello",
    b"[" * 100_000,
    b"{}",
    *(changed(ROLLED_OUT, id=wrong) for wrong in ("1", -1, 1.0, 10**400)),
    changed(ROLLED_OUT, selected_by=5),
    changed(ROLLED_OUT, state={"dice": [2, 1]}),
    changed(ROLLED_OUT, losses={}),
    changed(ROLLED_OUT, losses=None, judged=None),
    changed(ROLLED_OUT, judged=[0, 1]),
    changed(ROLLED_OUT, losses={"24/15": [0]}),
    changed(ROLLED_OUT, losses={"24/15": ["0", 0]}),
    *(changed(ROLLED_OUT, losses={"24/15": both}) for both in ([inf, 0], [0, nan], [-1, 0], [0, -1e-9])),
    *(changed(FURTHER, xgid=wrong) for wrong in (None, "XGID=?", 5, json.loads(FURTHER)["xgid"] + "0" * 10_000)),
    *(changed(FURTHER, judged=wrong) for wrong in (None, [], [0], "0", {"24/15": 0})),
    *(changed(FURTHER, judged=[wrong, *json.loads(FURTHER)["judged"][1:]]) for wrong in (-1, 0.5, "0", True, 10**400)),
    changed(RACE, losses=None),
)
def test_lines_that_are_no_decision(tmp_path: Path, line: bytes) -> None:
    lines = LINES.splitlines()[0] + b"\n" + line
    path = tmp_path / "mine.gz"
    path.write_bytes(packed({"version": 2, "sha256": hashlib.sha256(lines).hexdigest()}, lines))
    for full in (False, True):
        with pytest.raises(ParseError, match=r"^mine\.gz: line 3 is no decision of the benchmark$"):
            arena.bench(bots.first, data=path, full=full)


def test_further_decisions_need_what_corrects_them(tmp_path: Path) -> None:
    lines = changed(ROLLED_OUT, judged=None) + b"\n" + FURTHER
    path = tmp_path / "mine.gz"
    path.write_bytes(packed({"version": 2, "sha256": hashlib.sha256(lines).hexdigest()}, lines))
    number = json.loads(ROLLED_OUT)["id"]
    with pytest.raises(ParseError, match=rf"^mine\.gz: level 3 alone has judged some plays, but not what {number} "):
        arena.bench(bots.first, data=path, full=True)


def test_a_file_is_read_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nothing but zeros is packed."""
    monkeypatch.setattr("gammonrules.arena._benchmark_decisions.MAX_SIZE", 2**20)
    path = tmp_path / "mine.gz"
    path.write_bytes(packed(json.loads(HEADER), bytes(2**22)))
    with pytest.raises(ParseError, match=r"^mine\.gz: its decisions are larger than 1 MiB, the limit$"):
        arena.bench(bots.first, data=path)
    path.write_bytes(packed(json.loads(HEADER), b"\n" * 2**20))
    with pytest.raises(ParseError, match=r"^mine\.gz: it has more than 50,000 decisions, the limit$"):
        arena.bench(bots.first, data=path)
    with pytest.raises(ParseError, match="not an ordinary file"):
        arena.bench(bots.first, data=tmp_path)


def test_no_decisions(tmp_path: Path) -> None:
    path = tmp_path / "mine.gz"
    path.write_bytes(packed({"version": 2, "sha256": hashlib.sha256(b"").hexdigest()}, b""))
    results = arena.bench(bots.first, data=path)
    assert (results.answers, results.plays, results.cubes) == ((), arena.BenchLosses(), arena.BenchLosses())


def test_two_benchmarks_are_not_compared(tmp_path: Path) -> None:
    lines = b"".join(LINES.splitlines(keepends=True)[:-1])
    path = tmp_path / "less.gz"
    path.write_bytes(packed({"version": 2, "sha256": hashlib.sha256(lines).hexdigest()}, lines))
    ours, theirs = asked(bots.first, name="one"), arena.bench(bots.first, data=path, name="other")
    with pytest.raises(ArgumentError, match="these are two benchmarks: one has answered version 2"):
        ours.number("plays", than=theirs)


def test_a_program_plays_in_an_arena(tmp_path: Path) -> None:
    """It is asked about a cube only where it may double or take; here it doubles whenever it is asked."""
    (tmp_path / "bot.py").write_text(PLAYER, encoding="utf-8")
    text = f'program:"{sys.executable}" "{tmp_path / "bot.py"}"'
    results = arena.play(players={"mine": text, "first": bots.first}, games=2, workers=1)
    assert results.pairings[0].games == 2


@loop.rows(
    ("play", "words"),
    ('print("thinking")', "mine: it said 'thinking', which is not an object of JSON in one line (XGID="),
    ('{"points": [0] * 26}', "mine: its answer is refused: "),
    ('{"points": state["points"]}', "mine: its answer is refused: "),
)
def test_a_program_that_goes_wrong_in_an_arena(tmp_path: Path, play: str, words: str) -> None:
    """What it said stands there as it is, not as an exception."""
    mine = arena.EnginePlayer(partial(asked_program, program(tmp_path, play)))
    with pytest.raises(BotError) as error:
        arena.play({"mine": mine, "first": bots.first}, games=2, workers=1)
    assert words in str(error.value)
    assert "raised" not in str(error.value)


PLAYER = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    answer = {"id": question["id"], "do": "take"}
    if question["ask"] == "hello":
        answer = {"id": 0, "name": "mine", "version": "1", "asks": ["decide"], "wants": ["plays"]}
    elif question["state"]["dice"]:
        answer = {"id": question["id"], "points": question["plays"][0]}
    elif not question["state"]["offer"]:
        answer["do"] = "double"
    print(json.dumps(answer), flush=True)
"""
