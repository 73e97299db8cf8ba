"""What bots lose in the decisions of the benchmark: laws, bots that go wrong, and files that were changed."""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from math import inf, nan
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest

import bots
import loop
from gammonrules import Action, Event, MatchState, Phase, arena
from gammonrules.arena import BenchResults, MeanLoss
from gammonrules.arena._bench import _interval_of_mean
from gammonrules.arena._decisions import PUBLISHED, read_decisions
from gammonrules.conformance.states import flat
from gammonrules.errors import ArgumentError, EngineReplyError, EngineStartError, EngineUnsupportedError, ParseError

DATA = Path(__file__).parents[1] / "data" / "benchmark.jsonl.gz"
DECISIONS = read_decisions(DATA).positions
PLAYS, CUBES = (len(DECISIONS[ask]) for ask in ("plays", "cubes"))


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


# Laws -----------------------------------------------------------------------------------------------------------------


def test_the_best_bot_loses_nothing_and_no_bot_more_than_the_worst() -> None:
    perfect, awful, some = asked(best), asked(worst), asked(bots.first)
    assert perfect.worst == []
    for ask in ("plays", "cubes"):
        for drawn in ("at random", "disagreement"):
            zero, most, between = (results.number(ask, drawn) for results in (perfect, awful, some))
            assert zero.decisions == most.decisions == between.decisions > 0
            assert zero.loss == 0
            assert most.loss >= between.loss >= 0
    assert awful.most <= max(loss for each in awful.answers if (loss := each.loss))
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
    some = asked(lambda state: None if state.position.is_race else bots.first(state))
    assert first.number("plays", than=some).decisions == some.plays.decisions < first.plays.decisions
    assert first.number("plays", than=some).loss == 0


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
    assert (results.cubes, results.plays.decisions > 0) == (MeanLoss(), True)
    assert {answer.ask for answer in results.answers} == {"plays"}
    told = results.to_json()
    assert (told["cubes"]["asked"], told["cubes"]["loss"]) == (0, None)
    assert asked(arena.Policy(bots.any_play, bots_cube)).cubes.decisions > 0


def bots_cube(tables: Any, _: object) -> Any:
    return np.where(tables.phase == Phase.DOUBLED, Action.TAKE, Action.ROLL)


def test_a_fixed_part_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammonrules.arena._bench.FIRST", {"plays": 3, "cubes": 2})
    seen = list[tuple[int, int]]()
    few = asked(bots.first, progress=lambda done, total: seen.append((done, total)))
    assert [answer.id for answer in few.answers] == [
        *(each.id for [each] in DECISIONS["plays"][:3]),
        *(each.id for questions in DECISIONS["cubes"][:2] for each in questions),
    ]
    assert seen == [(done, 5) for done in range(1, 6)]
    assert len({answer.id for answer in asked(bots.first, full=True).answers}) == PLAYS + CUBES


def test_the_library_has_decisions() -> None:
    results = arena.bench(bots.first)
    assert (results.version, results.digest) == (1, PUBLISHED)
    assert results.plays.decisions > 0


def test_the_published_decisions_are_right() -> None:
    """They are trusted when they are read, so they are read as those of a stranger here."""
    published = read_decisions(None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gammonrules.arena._decisions.PUBLISHED", "")
        assert read_decisions(None) == published


# Intervals ------------------------------------------------------------------------------------------------------------


@pytest.mark.long
@loop.rows(("share", "count"), *((share, count) for share in (0.03, 0.1, 0.2, 0.4) for count in (10, 30, 75, 150)))
def test_intervals_cover(share: float, count: int) -> None:
    """200 samples each of losses as bots have them, most 0 and few large, and of the differences of two bots."""
    rng = np.random.default_rng(7)
    losses = np.where(rng.random(100_000) < share, rng.lognormal(-3.5, 1.1, 100_000), 0).clip(0, 1.9)
    for population in (losses, rng.permutation(losses) - losses):
        held = 0
        for _ in range(200):
            sample = rng.choice(population, count)
            low, high = _interval_of_mean(sample, 0, 1.9, -inf)
            held += low <= population.mean() <= high
        assert held >= 184, held


def test_intervals_count_the_errors_of_losses() -> None:
    rng = np.random.default_rng(7)
    sample = rng.exponential(0.02, 100)
    (low, high), (lower, higher) = (_interval_of_mean(sample, error, 2, 0) for error in (0, 0.01))
    mean = sample.mean()
    assert low - 0.02 < lower < low < mean < high < higher < high + 0.02
    assert high - mean > mean - low, "it is skew"
    assert _interval_of_mean(np.zeros(9), 0, 2, 0) is None
    far = _interval_of_mean(np.zeros(100), 0, 2, -inf)
    assert far == pytest.approx((-0.059, 0.059), abs=1e-3), "up to 3% may lose all of it"
    assert _interval_of_mean(np.zeros(100), 0, 2, 0)[0] == 0


# Functions that go wrong ----------------------------------------------------------------------------------------------


def raising(error: BaseException) -> Callable[[MatchState], NoReturn]:
    def bot(_: MatchState) -> NoReturn:
        raise error

    return bot


@loop.rows(
    ("reply", "words", "is_illegal"),
    (lambda _: Event(Action.PLAY, argument="24/1"), "not legal", True),
    (lambda _: Event(Action.TAKE), "not legal", True),
    (lambda _: None, "neither an Event nor Action.ROLL", False),
    (raising(LookupError("nothing here")), "it raised LookupError: nothing here", False),
    (raising(SystemExit("nothing here")), "it raised SystemExit: nothing here", False),
    (raising(EngineUnsupportedError("nothing here")), "nothing here", False),
    (lambda _: Event(Action.RESIGN), "of which the benchmark says nothing", False),
)
def test_answers_that_do_not_count(reply: Callable[[MatchState], Any], words: str, *, is_illegal: bool) -> None:
    results = asked(lambda state: reply(state) if state.dice else bots.first(state))
    bad = [answer for answer in results.answers if answer.ask == "plays"]
    assert all(words in answer.problem and answer.is_illegal is is_illegal for answer in bad)
    assert {(answer.loss, answer.action) for answer in bad} == {(None, "")}
    told = results.to_json()["plays"]
    assert (told["illegal"], told["unanswered"]) == ((PLAYS, 0) if is_illegal else (0, PLAYS))
    assert (results.plays, results.cubes.decisions > 0) == (MeanLoss(), True)


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
    for [question] in DECISIONS["plays"]:
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
    for number, (question, [each]) in enumerate(zip(told, DECISIONS["plays"], strict=True), 1):
        plays = question.pop("plays", None)
        assert question == {"id": number, "ask": "decide", "state": flat(each.state)}
        boards = [[*play.position.flip().points] for play in each.state.legal_plays]
        assert plays == (boards if wants else None)


@loop.rows(
    ("play", "words", "is_illegal"),
    ('{"do": "play", "moves": [[24, 1]]}', "it decided play '24/1', which is not legal", True),
    ('{"points": "?"}', "", False),
    ('{"do": 5}', "this is no action", False),
    ('{"error": "not yet"}', "it answered", False),
    ('{"id": id + 1000, "do": "roll"}', "the id of the answer is", False),
)
def test_programs_that_go_wrong(tmp_path: Path, play: str, words: str, *, is_illegal: bool) -> None:
    """A sentence for each answer that does not count; the cubes have a number all the same."""
    results = asked(program(tmp_path, play))
    bad = [answer for answer in results.answers if answer.ask == "plays"]
    assert all(words in answer.problem and answer.problem for answer in bad), bad[0].problem
    if words:
        assert {answer.is_illegal for answer in bad} == {is_illegal}
    assert (results.plays, results.stopped) == (MeanLoss(), None)
    assert results.cubes.decisions > 0


@loop.rows(
    ("play", "words"),
    ("sys.exit(3)", "it has ended"),
    ("time.sleep(60)", "did not answer"),
    ("print('x' * (1 << 24))", "it writes without end"),
)
def test_programs_that_stop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, play: str, words: str) -> None:
    """What was answered until then is told."""
    monkeypatch.setattr("gammonrules.conformance.asking._MOST_LATE", 1)
    monkeypatch.setattr("gammonrules._shared.work.programs._SECONDS_TO_END", 0.1)
    results = asked(program(tmp_path, f"{play} if id > 3 else {{'do': 'double'}}"), timeout=1)
    assert words in (results.stopped or "")
    assert len(results.answers) < PLAYS
    assert [answer.is_illegal for answer in results.answers[:3]] == [True] * 3


def test_a_program_without_a_cube(tmp_path: Path) -> None:
    results = asked(program(tmp_path, hello='{"asks": ["decide:plays", "plays"]}'))
    assert {answer.ask for answer in results.answers} == {"plays"}


@loop.rows(
    ("hello", "words"),
    ('{"protocol": 2}', "it knows protocol 2, and this is 1"),
    ('{"asks": ["plays"]}', "an answer to hello has a name"),
    *((f'{{"wants": {wants}}}', "and can only want") for wants in ('["moves"]', '"plays"', "5", "None")),
)
def test_programs_of_another_kind(tmp_path: Path, hello: str, words: str) -> None:
    with pytest.raises(EngineReplyError, match=words):
        asked(program(tmp_path, hello=hello))
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
    (packed(json.loads(HEADER) | {"version": 2}, LINES), "it is version 2 of the benchmark, and this is 1"),
    (packed(json.loads(HEADER) | {"version": True}, LINES), "it is version True"),
    (packed({"version": 1}, LINES), "no file of the benchmark's decisions"),
    (DATA.read_bytes()[:-40], "no file of the benchmark's decisions"),
)
def test_files_that_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "mine.gz"
    path.write_bytes(content)
    with pytest.raises(ParseError, match=rf"^mine\.gz: .*{words}"):
        arena.bench(bots.first, data=path)


def changed(**fields: Any) -> bytes:
    """A decision of which some fields are others."""
    return json.dumps(json.loads(LINES.splitlines()[0]) | fields).encode()


@loop.rows(
    "line",
    b"hello",
    b"[" * 100_000,
    b"{}",
    *(changed(id=wrong) for wrong in ("1", -1, 1.0, 10**400)),
    changed(selected_by=5),
    changed(state={"dice": [2, 1]}),
    changed(losses={}),
    changed(losses={"24/15": [0]}),
    changed(losses={"24/15": ["0", 0]}),
    *(changed(losses={"24/15": both}) for both in ([inf, 0], [0, nan], [-1, 0], [0, -1e-9])),
)
def test_lines_that_are_no_decision(tmp_path: Path, line: bytes) -> None:
    lines = LINES.splitlines()[0] + b"\n" + line
    path = tmp_path / "mine.gz"
    path.write_bytes(packed({"version": 1, "sha256": hashlib.sha256(lines).hexdigest()}, lines))
    with pytest.raises(ParseError, match=r"^mine\.gz: line 3 is no decision of the benchmark$"):
        arena.bench(bots.first, data=path)


def test_a_file_is_read_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nothing but zeros is packed."""
    monkeypatch.setattr("gammonrules.arena._decisions.LARGEST", 2**20)
    path = tmp_path / "mine.gz"
    path.write_bytes(packed(json.loads(HEADER), bytes(2**22)))
    with pytest.raises(ParseError, match=r"^mine\.gz: its decisions are larger than 1 MiB, the limit$"):
        arena.bench(bots.first, data=path)
    with pytest.raises(ParseError, match="not an ordinary file"):
        arena.bench(bots.first, data=tmp_path)


def test_no_decisions(tmp_path: Path) -> None:
    path = tmp_path / "mine.gz"
    path.write_bytes(packed({"version": 1, "sha256": hashlib.sha256(b"").hexdigest()}, b""))
    results = arena.bench(bots.first, data=path)
    assert (results.answers, results.plays, results.cubes) == ((), MeanLoss(), MeanLoss())


def test_two_benchmarks_are_not_compared(tmp_path: Path) -> None:
    lines = b"".join(LINES.splitlines(keepends=True)[:-1])
    path = tmp_path / "less.gz"
    path.write_bytes(packed({"version": 1, "sha256": hashlib.sha256(lines).hexdigest()}, lines))
    ours, theirs = asked(bots.first, name="one"), arena.bench(bots.first, data=path, name="other")
    with pytest.raises(ArgumentError, match="these are two benchmarks: one has answered version 1"):
        ours.number("plays", than=theirs)


def test_a_program_plays_in_an_arena(tmp_path: Path) -> None:
    """It is asked about a cube only where it may double or take; here it doubles whenever it is asked."""
    (tmp_path / "bot.py").write_text(PLAYER, encoding="utf-8")
    text = f'program:"{sys.executable}" "{tmp_path / "bot.py"}"'
    results = arena.play(players={"mine": text, "first": bots.first}, games=2, jobs=1)
    assert results.pairings[0].games == 2


PLAYER = """
import json, sys
from gammonrules.conformance.internals import state_of_flat
for line in sys.stdin:
    question = json.loads(line)
    answer = {"id": question["id"], "do": "take"}
    if question["ask"] == "hello":
        answer = {"id": 0, "name": "mine", "version": "1", "asks": ["decide"]}
    elif question["state"]["dice"]:
        play = state_of_flat(question["state"]).legal_plays[0]
        answer = {"id": question["id"], "points": play.position.flip().points}
    elif not question["state"]["offer"]:
        answer["do"] = "double"
    print(json.dumps(answer), flush=True)
"""
