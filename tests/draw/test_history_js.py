"""`history.js` writes the `.mat` text that the library writes, or refuses the same matches."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import match_tries
import pytest

import node
import random_logs
from gammonrules import Action, Dice, Event, GammonError, MatchState, Player, Position, SetPosition, Win, draw, json
from gammonrules.board import START_NAMES
from gammonrules.match import Cube, RecordEvent
from gammonrules.records import Match, dumps

Log = tuple[MatchState, list[RecordEvent]]
NAMES = ("Ann : 3", "B\u00f6b\t\U0001f3b2\ud800 (;)"), ("", "  "), ("x" * 40, "[Event] ; 1) 31: 8/5")
TAGS = {"Event": 'Nordic "Open"', "Round": "Final\n; [Site x]", "EventDate": "2024.07.27"}
COMMENTS = ["played at home", "[no tag]", "set pos=", "\u2028Set Cube=2", "; ;"]
PROGRAM = """
import { createInterface } from "node:readline";
const { MatchHistory } = await import(process.argv[1]);
for await (const line of createInterface({ input: process.stdin })) {
  const [start, events, options] = JSON.parse(line);
  let answer;
  try {
    const game = new MatchHistory(start, events);
    answer = { history: game.history(), state: game.state };
    answer.mat = game.mat(options);
  } catch (error) {
    if (error.name !== "GammonError") throw error;
    answer.error = error.message;
  }
  console.log(JSON.stringify(answer));
}
"""


def usual_log(seed: int) -> Log:
    rng = random.Random(seed)
    rules = rng.choice(random_logs.RULES)
    length = None if rules.scoring == "pips" else rng.choice((None, 1, 2, 3, 5, 7))
    start = random_logs.beginning(rng, rules, length)
    if rng.random() < 0.1:
        start = random_logs.midst(start, [*random_logs.events(rng, start)][: rng.randrange(80)])
    return start, [*random_logs.events(rng, start)]


def odd_log(seed: int) -> Log:
    """With forfeits, and positions set by hand at any time."""
    rng = random.Random(seed)
    start = state = next(match_tries.beginnings(rng))
    share = rng.choice((0.01, 0.05))
    events: list[RecordEvent] = []
    for _ in range(rng.choice((5, 40, 100))):
        choose = match_tries.by_the_house if rng.random() < share else match_tries.some_event
        event: Any = json.from_data(choose(rng, state))
        try:
            state = state.apply(event)
        except GammonError:
            continue
        events.append(event)
        if state.winner is not None:
            break
    return start, events


def log_with_boards(seed: int) -> Log:
    """With boards set by hand at all times, resignations and forfeits."""
    rng = random.Random(seed)
    start = state = next(match_tries.beginnings(rng))
    share = rng.choice((0.1, 0.3))
    events: list[RecordEvent] = []
    for _ in range(rng.choice((2, 4, 8, 30))):
        for event in some_events(rng, state, share):
            try:
                state = state.apply(event)
            except GammonError:
                break
            events.append(event)
        if state.winner is not None:
            break
    return start, events


def some_events(rng: random.Random, state: MatchState, share: float) -> Sequence[RecordEvent]:
    kind = rng.random()
    if kind < share:
        return [board_by_hand(rng, state)]
    if kind < 1.5 * share:
        return [Event(Action.RESIGN, rng.choice([*Player]), rng.choice([*Win])), Event(Action.ACCEPT)]
    document: Any = json.from_data(match_tries.some_event(rng, state))
    return [document]


def board_by_hand(rng: random.Random, state: MatchState) -> SetPosition:
    """Often what a play of another roll leads to, for the player whose turn it is then."""
    plays = state.position.legal_plays((rng.randint(1, 6), rng.randint(1, 6)))  # none of a game that is over
    boards = [play.position for play in rng.sample([*plays], min(2, len(plays)))]
    boards += [state.position, state.position.flip(), random_logs.bear_off(rng), random_logs.CLOSED]
    boards += [Position.start(name) for name in START_NAMES]
    boards += [Position.of({}, {3: 2}), Position.of({1: 1}, {}), Position.of({6: 2}, {20: 1, 24: 1}, checkers=3)]
    usual = state.on_roll.opponent if state.on_roll else rng.choice([*Player])
    cube = rng.choice(
        (None, None, None, None, Cube(), Cube(2, Player.WHITE), Cube(2, Player.BLACK), Cube(8, Player.BLACK))
    )
    return SetPosition(rng.choice(boards), usual if rng.random() < 0.7 else usual.opponent, cube)


def canonical(start: MatchState, events: Iterable[RecordEvent]) -> Iterator[RecordEvent]:
    state = start
    for event in events:
        yield state.canonical(event)
        state = state.apply(event)


def text_of(log: Log, names: tuple[str, str]) -> dict[str, str]:
    """What the library writes of a match with these tags and comments, or why it does not."""
    start, events = log
    try:
        match = Match.from_events(names, start, events)
        tagged = Match(names, start.length, match.games, tags=tuple(TAGS.items()), comments=tuple(COMMENTS))
        return {"mat": dumps(tagged)}
    except GammonError as error:
        return {"error": str(error)}


@pytest.fixture(scope="session")
def history_js(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("game")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "match.js").write_text(draw.match_js(), encoding="utf-8")
    (folder / "history.js").write_text(draw.history_js(module=True), encoding="utf-8")
    return folder / "history.js"


@pytest.mark.parametrize("count", [20, pytest.param(2_000, marks=pytest.mark.long)])
def test_the_record_is_that_of_the_library(history_js: Path, count: int) -> None:
    logs = [*map(usual_log, range(count)), *map(odd_log, range(count // 2))]
    rng = random.Random(count)
    names = [rng.choice(NAMES) for _ in logs]
    calls: list[Any] = []
    for (start, events), (white, black) in zip(logs, names, strict=True):
        options = {"white": white, "black": black, "tags": TAGS, "comments": COMMENTS}
        calls.append([json.to_data(start), [json.to_data(event) for event in events], options])
    answers = node.answers(PROGRAM, history_js, calls, history_js.parent)
    for log, players, answer in zip(logs, names, answers, strict=True):
        start, events = log
        history = [*canonical(start, events)]
        wanted = text_of(log, players)
        assert answer == {
            "history": [json.to_data(event) for event in history],
            "state": json.to_data(Match.from_events(("", ""), start, history).games[-1].final()),
            **wanted,
        }


@pytest.mark.parametrize("count", [100, pytest.param(20_000, marks=pytest.mark.long)])
def test_boards_set_by_hand(history_js: Path, count: int) -> None:
    """The same text as the library, or none where it refuses one, since another game would be read back."""
    logs = [*NAMED_LOGS, *map(log_with_boards, range(count))]
    answers = written(history_js, logs)
    for log, answer in zip(logs, answers, strict=True):
        wanted = text_of(log, NAMES[0])
        assert answer.get("mat") == wanted.get("mat"), log
        assert ("error" in answer) == ("error" in wanted)


def test_what_a_text_tells_of_boards_set_by_hand(history_js: Path) -> None:
    told = ["mat" in answer for answer in written(history_js, NAMED_LOGS)]
    assert told == [False, False, True, True, False, True, False]


def written(history_js: Path, logs: Sequence[Log]) -> list[Any]:
    white, black = NAMES[0]
    options = {"white": white, "black": black, "tags": TAGS, "comments": COMMENTS}
    calls = [[json.to_data(start), [json.to_data(event) for event in events], options] for start, events in logs]
    return node.answers(PROGRAM, history_js, calls, history_js.parent)


FAR = random_logs.CLOSED
OPENING = Event(Action.OPENING_ROLL, argument=(6, 4))
TWO_ROLLS = [OPENING, Event(Action.PLAY, argument="24/18 13/9"), Event(Action.ROLL, argument=(3, 1))]
RESIGNED = [Event(Action.RESIGN, Player.WHITE, "single"), Event(Action.ACCEPT)]
LAST_CHECKERS = Position.of({1: 2}, {12: 15})
LAST_ROLL = MatchState(LAST_CHECKERS, Player.WHITE, dice=Dice(6, 5), length=5, score=(4, 0), crawford=False)
NAMED_LOGS: list[Log] = [
    # in place of the first play these are read as the start
    (MatchState.new(7), [OPENING, SetPosition(FAR, Player.BLACK)]),
    (MatchState.new(7), [OPENING, SetPosition(Position.start("nackgammon"), Player.BLACK)]),
    # after the last roll only the points of the end count
    (MatchState.new(7), [*TWO_ROLLS, SetPosition(Position.of({3: 1}, {3: 1}, checkers=3), Player.WHITE), *RESIGNED]),
    (MatchState.new(7), [OPENING, SetPosition(Position.start(), Player.WHITE), *RESIGNED]),
    (MatchState.new(7), [OPENING, SetPosition(Position.start(), Player.BLACK, Cube(4, Player.WHITE)), *RESIGNED]),
    (MatchState.new(7), [OPENING, SetPosition(Position.start(), Player.BLACK, Cube(2, Player.WHITE)), *RESIGNED]),
    # a roll without its play is read as the play that wins, here a gammon
    (LAST_ROLL, [Event(Action.RESIGN, Player.BLACK, "single"), Event(Action.ACCEPT)]),
]


def test_matches_that_cannot_be_written(history_js: Path) -> None:
    logs: list[Log] = [(MatchState.new(2_000_000), []), (MatchState.new(1).forfeit(Player.WHITE), [])]
    wanted = [text_of(log, NAMES[0])["error"] for log in logs]
    assert [answer["error"] for answer in written(history_js, logs)] == wanted


def test_it_is_small() -> None:
    sizes = [len(gzip.compress(draw.history_js(module=module).encode(), 9)) for module in (False, True)]
    assert max(sizes) <= 5_900
