"""The JSON form: lossless, strict, and as its schema says."""

from __future__ import annotations

import enum
import json as python_json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import jsonschema
import pytest
from hypothesis import given, strategies as st

import loop
import wording
from boards import positions, rolls, tables
from core_documents import (
    DATA as VERSIONS,
    DOCUMENTS,
    KINDS,
    OF_RECORDS,
    SCHEMAS,
    TYPE_SCHEMAS,
    WHOLE_SCHEMA,
    documents,
    schema_for,
)
from gammonrules import (
    TO_ACT,
    Action,
    AmbiguousPlayError,
    ArgumentError,
    Cube,
    Dice,
    DiceError,
    DiceProblem,
    Double,
    End,
    Event,
    Forfeit,
    GammonError,
    IllegalActionError,
    IllegalActionReason,
    IllegalPlayError,
    IllegalPlayReason,
    MatchState,
    MatchStateError,
    MatchStateProblem,
    Move,
    Outcome,
    ParseError,
    Phase,
    Play,
    Player,
    Position,
    PositionError,
    PositionProblem,
    Resignation,
    Result,
    Rules,
    RulesError,
    RulesProblem,
    SetPosition,
    Win,
    json,
    strategies,
)
from gammonrules.equity import Chances
from gammonrules.json._strict import refusal
from gammonrules.limits import MAX_POINTS
from gammonrules.match import Clock
from json_laws import assert_lossless, assert_sound_when_changed

SCHEMA = json.schema()
START = Position.start()
MAX_NUMBER = 2**53 - 1

Draw = Callable[..., Any]


# --- values ---------------------------------------------------------------------------------------


@st.composite
def walks(draw: Draw) -> list[MatchState | Event]:
    """The states and events of a walk through a match, from any state."""
    state = draw(tables())
    walked: list[MatchState | Event] = [state]
    for _ in range(draw(st.integers(0, 6))):
        if state.winner is not None:
            break
        event = draw(strategies.events(state))
        state = state.apply(event)
        walked += [event, state]
    return walked


def claims() -> st.SearchStrategy[Event]:
    """Events as a client may send them, legal or not."""
    seats, starters = st.sampled_from((TO_ACT, *Player)), st.sampled_from((None, *Player))
    return st.one_of(
        st.builds(
            Event,
            st.just("play"),
            seats,
            st.text(max_size=200) | st.lists(strategies.moves(), max_size=4) | strategies.plays(),
        ),
        st.builds(Event, st.just("opening_roll"), seats, rolls()),
        st.builds(Event, st.just("next_game"), seats, starters | positions()),
        st.builds(Event, st.sampled_from(["double", "take", "drop", "beaver", "accept", "decline"]), seats),
    )


def small_values() -> st.SearchStrategy[json.Value]:
    counts, players = st.integers(1, MAX_POINTS), st.sampled_from(Player)
    return st.one_of(
        *map(st.sampled_from, (Player, Win, Action, Phase, End)),
        rolls().map(Dice.of),
        strategies.moves(),
        st.builds(Outcome, st.booleans(), st.sampled_from(Win)),
        st.builds(Cube, st.integers(1, 24).map(lambda power: 2**power), st.none() | players),
        st.builds(Result, players, st.sampled_from(Win), counts, st.sampled_from(list(End)[:3])),
        st.builds(Result, players, st.none(), counts, st.just(End.FORFEITED)),
        st.builds(Forfeit, players, st.none() | st.integers(1, 10**9)),
        st.builds(Resignation, players, st.sampled_from(Win)),
        strategies.rules(),
    )


class TestLossless:
    """A lossless form: what is read equals what was written, in every type."""

    @given(walks())
    def test_states_and_events(self, walked: list[MatchState | Event]) -> None:
        for value in walked[-3:]:
            assert_lossless(value)

    @given(positions(over=True))
    def test_positions(self, position: Position) -> None:
        assert_lossless(position)

    @given(strategies.plays())
    def test_plays(self, play: Play) -> None:
        assert_lossless(play)
        same = json.loads(json.dumps(play), Play)
        assert (same.before, same.dice, same.moves) == (play.before, play.dice, play.moves)

    @given(claims())
    def test_events_that_are_not_legal(self, event: Event) -> None:
        assert_lossless(event)

    @given(small_values())
    def test_small_values(self, value: json.Value) -> None:
        assert_lossless(value)

    @given(st.deferred(lambda: st.sampled_from(WRITTEN)), st.randoms(use_true_random=False))
    def test_a_changed_document(self, value: json.Value, rng: random.Random) -> None:
        assert_sound_when_changed(value, rng, TYPE_SCHEMAS)


# --- the form, to the letter ----------------------------------------------------------------------

BEARING_OFF = Position.of(mine={6: 2}, theirs={6: 1}, checkers=3)
POINTS = "[0,0,0,0,0,0,2,0,0,0,0,0,0,0,0,0,0,0,0,-1,0,0,0,0,0,0]"
POSITION = f'{{"points":{POINTS},"checkers":3}}'
DOUBLED = MatchState(
    BEARING_OFF,
    Player.BLACK,
    cube=Cube(2, Player.BLACK),
    offer=Resignation(Player.WHITE, Win.GAMMON, Double(Player.BLACK, 8, 1)),
    score=(3, 0),
)
PLAY = BEARING_OFF.legal_plays("61").find("6/off 6/5")
MOVES = '[{"from_point":6,"to_point":0,"hit":false},{"from_point":6,"to_point":5,"hit":false}]'

WRITTEN: list[json.Value] = [
    *(DOUBLED, BEARING_OFF, PLAY, Move(25, 22, hit=True), Dice(1, 3), Rules(jacoby=True, beavers=1), Cube()),
    *(Clock((600, 587.5), 12, on_clock=Player.WHITE, used=3.25), Double(Player.WHITE, 2)),
    Chances(0.5, 0.25, 0, 0.125, 0),
    *(Resignation(Player.WHITE, Win.BACKGAMMON), Result(Player.BLACK, Win.SINGLE, 4, End.DROPPED)),
    *(SetPosition(BEARING_OFF, Player.BLACK), Forfeit(Player.BLACK), Outcome(won=False, win=Win.GAMMON)),
    *(Player.WHITE, Win.GAMMON, Action.NEXT_GAME, Phase.TO_ROLL, End.PLAYED, Event("opening_roll", argument=(2, 5))),
]
"""Values of the core in the documents of each version."""
FORMS: list[tuple[json.Value, str]] = [
    (
        Clock((60, 5), 12, on_clock=Player.BLACK, interrupted=Player.WHITE, interrupted_after=2.5),
        (
            '"reserves":[60.0,5.0],"delay":12.0,"timing":"simple","on_clock":"black","used":0.0,"running_since":null,'
            '"interrupted":"white","interrupted_after":2.5'
        ),
    ),
    (Result(Player.WHITE, None, 5, End.FORFEITED), '"winner":"white","win":null,"points":5,"end":"forfeited"'),
    (
        SetPosition(BEARING_OFF, Player.WHITE, Cube(2, Player.BLACK)),
        f'"position":{POSITION},"on_roll":"white","cube":{{"value":2,"owner":"black"}}',
    ),
    (Forfeit(Player.WHITE, 3), '"loser":"white","points":3'),
    (Event("roll", Player.WHITE, "25"), '"action":"roll","by":"white","argument":[5,2]'),
    (Event("play", Player.WHITE, "8/5 6/5"), '"action":"play","by":"white","argument":"8/5 6/5"'),
    (Event("play", argument=PLAY.moves), f'"action":"play","by":"to_act","argument":{MOVES}'),
    (
        Event("play", argument=PLAY),
        f'"action":"play","by":"to_act","argument":{{"before":{POSITION},"dice":[6,1],"moves":{MOVES}}}',
    ),
    (Event("take", Player.BLACK), '"action":"take","by":"black","argument":null'),
    (Event("drop", Player.BLACK).at(2.5), '"action":"drop","by":"black","argument":null,"time":2.5'),
    (Event("resign").at(-0.0004), '"action":"resign","by":"to_act","argument":"single","time":0.0'),
    (Event("next_game"), '"action":"next_game","by":"to_act","argument":null'),
    (Event("next_game", argument=Player.BLACK), '"action":"next_game","by":"to_act","argument":"black"'),
    (Event("next_game", argument=BEARING_OFF), f'"action":"next_game","by":"to_act","argument":{POSITION}'),
]


class TestForm:
    """The form is versioned: version 3 is this, to the letter, and whatever changes here makes it version 4."""

    @loop.over(("value", "inside"), FORMS, ids=lambda value: str(value)[:20])
    def test_text(self, value: json.Value, inside: str) -> None:
        assert json.dumps(value) == f'{{"version":3,"type":"{type(value).__name__}",{inside}}}'
        assert_lossless(value)

    def test_every_type(self) -> None:
        assert {type(value) for value in WRITTEN} == set(KINDS.values())
        assert {json.dumps(value) for value in WRITTEN} <= {*DOCUMENTS}

    @loop.over("version", range(1, json.VERSION + 1))
    def test_documents_of_every_version(self, version: int) -> None:
        """What was ever written is read, as the same values, and written in the newest form."""
        values = [json.loads(document) for document in documents(version)]
        assert [json.dumps(value) for value in values] == DOCUMENTS
        assert {type(value) for value in values} == set(KINDS.values())

    @loop.rows(
        ("document", "path"),
        ('"type":"Event","action":"take","by":null,"argument":null', "$.by"),
        ('"type":"Result","winner":"white","win":"single","points":1,"by":"dropped"', "$.by"),
    )
    def test_old_forms_belong_to_their_version(self, document: str, path: str) -> None:
        assert json.loads(f'{{"version":1,{document}}}')
        with pytest.raises(ParseError) as caught:
            json.loads(f'{{"version":3,{document}}}')
        assert str(caught.value).startswith(f"{path}: ")

    @loop.rows("twice", '"by":"resigned","end":"resigned"', '"by":"resigned","by":"resigned"')
    def test_an_old_form_with_a_field_too_many(self, twice: str) -> None:
        state, result, *_ = (VERSIONS / "json-version-1.jsonl").read_text().splitlines()
        for document, path in ((state, "$.result.by"), (result, "$.by")):
            with pytest.raises(ParseError) as caught:
                json.loads(document.replace('"by":"resigned"', twice))
            assert str(caught.value).startswith(f"{path}: ")

    def test_an_old_form_may_be_nested_deeper_than_any_value(self) -> None:
        value: object = 0
        for _ in range(10**5):
            value = [value]
        for nested in (value, {"a": value}):
            with pytest.raises(ParseError, match=r"^\$\.value: "):
                json.from_data({"version": 2, "type": "Dice", "value": nested})

    def test_order_white_space_and_what_writes_the_text_mean_nothing(self) -> None:
        data = json.to_data(DOUBLED)
        assert json.loads(python_json.dumps(dict(reversed(data.items())), indent=4)) == DOUBLED

    def test_arrays_may_be_tuples(self) -> None:
        assert json.from_data({"version": 3, "type": "Dice", "value": (3, 1)}) == Dice(3, 1)

    def test_a_roll_is_read_in_either_order(self) -> None:
        assert json.loads('{"version":3,"type":"Dice","value":[1,3]}') == Dice(3, 1)

    def test_the_moves_of_a_play_are_read_in_any_order_and_without_their_hits(self) -> None:
        play = Position.of(mine={24: 1, 1: 14}, theirs={3: 1, 6: 14}).legal_plays("21").find("24/22*/21")
        data = json.to_data(play)
        data["moves"] = [{**move, "hit": False} for move in reversed(data["moves"])]
        assert json.from_data(data) == play


# --- bad input ------------------------------------------------------------------------------------

DATA = {type(value).__name__: json.to_data(value) for value in reversed(WRITTEN)}
DATA["Play31"] = json.to_data(START.legal_plays("31").find("8/5 6/5"))
DATA["Opening"] = json.to_data(Event("opening_roll", argument=(2, 5)))
DATA["Take"] = json.to_data(Event("take", Player.BLACK))
GONE = object()
Changes = dict[str, object]


def changed(name: str, changes: Changes) -> Any:
    """A good document with other values, or none, at some paths."""
    data = deepcopy(DATA[name])
    for path, value in changes.items():
        *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
        inner: Any = data
        for key in way:
            inner = inner[key]
        if value is GONE:
            del inner[last]
        else:
            inner[last] = value
    return data


WHOLE = "expected a whole number, not"
SEAT = 'expected "white" or "black", not'
# What the schema refuses too.
MALFORMED: list[tuple[str, Changes, str]] = [
    # the head
    ("Cube", {"version": GONE}, "$.version: this field is missing"),
    ("Cube", {"version": 4}, "$.version: expected version 1 to 3, not 4"),
    ("Cube", {"version": True}, "$.version: expected version 1 to 3, not true"),
    ("Cube", {"version": "2"}, "$.version: expected version 1 to 3, not '2'"),
    ("Cube", {"type": GONE}, "$.type: this field is missing"),
    ("Cube", {"castle": 1}, "$.castle: there is no such field"),
    # fields
    ("MatchState", {"length": GONE, "score": GONE}, "$.score: this field is missing; $.length: this field is missing"),
    ("MatchState", {"rules.start": GONE}, "$.rules.start: this field is missing"),
    ("MatchState", {"rules.a b": 1}, "$.rules['a b']: there is no such field"),
    ("MatchState", {"offer.double.type": "Double"}, "$.offer.double.type: there is no such field"),
    ("MatchState", {"offer.type": GONE}, "$.offer.type: this field is missing"),
    ("MatchState", {"offer.type": "Loan"}, '$.offer.type: expected "Double" or "Resignation", not \'Loan\''),
    ("MatchState", {"offer": "Double"}, "$.offer: expected an object, not 'Double'"),
    # types
    ("MatchState", {"length": True}, f"$.length: {WHOLE} true"),
    ("MatchState", {"length": MAX_NUMBER + 1}, f"$.length: numbers go up to {MAX_NUMBER}"),
    ("MatchState", {"offer.double.beavers": {}}, f"$.offer.double.beavers: {WHOLE} an object"),
    ("MatchState", {"rules.jacoby": 1}, "$.rules.jacoby: expected true or false, not 1"),
    ("MatchState", {"on_roll": "White"}, f"$.on_roll: {SEAT} 'White'"),
    ("MatchState", {"offer.by": None}, f"$.offer.by: {SEAT} null"),
    ("MatchState", {"offer.win": 2}, '$.offer.win: expected "single" or "gammon" or "backgammon", not 2'),
    ("MatchState", {"score": [1]}, "$.score: expected an array of 2, not an array of 1"),
    ("MatchState", {"score.1": "x"}, f"$.score[1]: {WHOLE} 'x'"),
    ("MatchState", {"dice": [3, 1, 1]}, "$.dice: expected an array of 2, not an array of 3"),
    ("Position", {"points.3": False}, f"$.points[3]: {WHOLE} false"),
    ("Position", {"points": [0] * 25}, "$.points: expected an array of 26, not an array of 25"),
    ("Play", {"moves.0.hit": 1}, "$.moves[0].hit: expected true or false, not 1"),
    ("Play", {"moves": [{}] * 5}, "$.moves: expected an array of 0 to 4, not an array of 5"),
    (
        "Play",
        {"before.checkers": None, "dice": 3},
        f"$.before.checkers: {WHOLE} null; $.dice: expected an array, not 3",
    ),
    ("Dice", {"value.1": 1.0}, f"$.value[1]: {WHOLE} 1.0"),
    ("End", {"value": "lost"}, '$.value: expected "played" or "dropped" or "resigned" or "forfeited", not \'lost\''),
    # events
    ("Opening", {"argument": GONE}, "$.argument: this field is missing"),
    ("Opening", {"argument": [3, True]}, f"$.argument[1]: {WHOLE} true"),
    ("Opening", {"by": 3, "argument": [3]}, f"$.by: {SEAT} 3; $.argument: expected an array of 2, not an array of 1"),
    ("Take", {"argument": 1}, "$.argument: null is needed, this action has no argument; not 1"),
    ("Take", {"action": "roll"}, "$.argument: expected an array, not null"),
    ("Take", {"action": "play"}, "$.argument: expected a string, an array of moves or a play, not null"),
    ("Take", {"action": "play", "argument": [3]}, "$.argument[0]: expected an object, not 3"),
    (
        "Take",
        {"action": "play", "argument": {}},
        "$.argument.before: missing; $.argument.dice: missing; $.argument.moves: this field is missing",
    ),
    ("Take", {"action": "next_game", "argument": "me"}, f"$.argument: {SEAT} 'me'"),
    ("Take", {"action": "next_game", "argument": {"points": []}}, "$.argument.checkers: this field is missing"),
    ("Take", {"action": "resign"}, '$.argument: expected "single" or "gammon" or "backgammon", not null'),
]

BOARD, STATE, ROLL = PositionProblem, MatchStateProblem, DiceProblem
POWER = "a cube shows a power of two up to 16,777,216, not 3"
ERRORS = {BOARD: PositionError, STATE: MatchStateError, ROLL: DiceError, RulesProblem: RulesError} | {
    IllegalPlayReason: IllegalPlayError
}

# What a constructor refuses, with its problem or else its error; the last column says whether the schema can know.
IMPOSSIBLE: list[tuple[str, Changes, str, enum.Flag | IllegalPlayReason | type[GammonError], bool]] = [
    (
        "Position",
        {"points.0": 1},
        "$: index 0 is the opponent's bar, not a place for 1",
        BOARD.CHECKERS_ON_WRONG_BAR,
        False,
    ),
    ("Double", {"value": 1}, "$: a double: a cube that was turned 1 time cannot show 1", STATE.IMPOSSIBLE_OFFER, False),
    ("Position", {"points.6": 4}, "$: mine: 4 checkers, but the game has 3", BOARD.TOO_MANY_CHECKERS, True),
    ("Position", {"checkers": 16}, "$: 1 to 15 checkers, not 16", BOARD.CHECKERS_OUT_OF_RANGE, False),
    (
        "Dice",
        {"value": [0, 7]},
        "$.value: from 1 to 6, not 0 and 7",
        ROLL.INVALID_FIRST_DIE | ROLL.INVALID_SECOND_DIE,
        False,
    ),
    ("Opening", {"argument": [3, 7]}, "$: a die must be from 1 to 6, not 7", ROLL.INVALID_SECOND_DIE, False),
    ("Move", {"from_point": 26}, "$: from_point must be from 1 to 25, not 26", ArgumentError, False),
    (
        *("Rules", {"scoring": "goals", "beavers": -1}),
        '$: beavers is from 0 to 1,000, not -1; scoring is "points" or "pips", not \'goals\'',
        *(RulesProblem.NUMBER_OUT_OF_RANGE | RulesProblem.UNKNOWN_CHOICE, False),
    ),
    (
        *("Rules", {"gammons": False}, "$: without gammons no backgammons either, so set backgammons=False"),
        *(RulesProblem.BACKGAMMONS_WITHOUT_GAMMONS, False),
    ),
    ("MatchState", {"cube.value": 3}, f"$.cube: {POWER}", STATE.IMPOSSIBLE_CUBE, False),
    (
        *("MatchState", {"cube.value": 3, "offer.double.value": 2}),
        f"$.cube: {POWER}; $.offer.double: impossible double: a cube that was turned 2 times cannot be at 2",
        *(STATE.IMPOSSIBLE_CUBE | STATE.IMPOSSIBLE_OFFER, False),
    ),
    # errors of two classes: the first one, and the sentences of both
    (
        *("MatchState", {"position.points.6": 5, "cube.value": 3}),
        f"$.position: mine: 5 checkers, but the game has 3; $.cube: {POWER}",
        *(BOARD.TOO_MANY_CHECKERS, False),
    ),
    # what cannot be read at all goes first
    ("MatchState", {"cube.value": 3, "length": "7"}, f"$.length: {WHOLE} '7'; $.cube: {POWER}", ParseError, False),
    ("MatchState", {"length": 0}, "$: from 1 to 1,000,000,000 or None, not 0", STATE.LENGTH_OUT_OF_RANGE, False),
    (
        *("MatchState", {"dice": [3, 1], "crawford": True}),
        "$: Crawford, money; a turned cube in the Crawford game (say crawford=False); dice, double; a double by Black",
        *(STATE.IMPOSSIBLE_CRAWFORD_GAME | STATE.IMPOSSIBLE_DICE | STATE.IMPOSSIBLE_OFFER, False),
    ),
    ("Event", {"time": 2e12}, "$.time: now must be a number of seconds", ArgumentError, True),
    ("Clock", {"on_clock": None}, "$: nobody is on the clock, so used must be 0", ArgumentError, True),
    ("Result", {"points": 0}, "$: a win counts 1 to 1,000,000,000 points, not 0", STATE.IMPOSSIBLE_RESULT, False),
    ("Play31", {"moves": []}, '$: "" with 31: a legal play (24/21 24/23)', IllegalPlayReason.MUST_PLAY, True),
    (
        *("Play31", {"moves.1.to_point": 4}, '$: "8/5 6/4" with 31: 6/4 is 2 pips'),
        *(IllegalPlayReason.DIE_NOT_ROLLED, True),
    ),
]


class TestRefused:
    """Everything bad is refused with one sentence that names the place."""

    @loop.over(("name", "changes", "sentence"), MALFORMED)
    def test_malformed(self, name: str, changes: Changes, sentence: str) -> None:
        data = changed(name, changes)
        for read in (json.from_data, lambda data: json.loads(python_json.dumps(data))):
            with wording.raises(GammonError, sentence) as caught:
                read(data)
            assert type(caught.value) is ParseError
            assert caught.value.__cause__ is None
            assert caught.value.__suppress_context__
            assert not hasattr(caught.value, "__notes__")
        whole_float = "1.0" in sentence  # for a schema 1.0 is a whole number
        assert schema_for(data).is_valid(data) is whole_float

    @loop.over("name, changes, sentence, detail, known", IMPOSSIBLE)
    def test_impossible(self, name: str, changes: Changes, sentence: str, detail: Any, known: bool) -> None:
        data = changed(name, changes)
        with wording.raises(GammonError, sentence) as caught:
            json.from_data(data)
        error, detail = (detail, None) if isinstance(detail, type) else (ERRORS[type(detail)], detail)
        assert type(caught.value) is error
        assert getattr(caught.value, "problems", getattr(caught.value, "reason", None)) == detail
        assert schema_for(data).is_valid(data) is known

    def test_the_type_is_the_one_that_is_asked_for(self) -> None:
        with wording.raises(ParseError, "$.type: expected \"MatchState\", not 'Position'"):
            json.loads(json.dumps(START), MatchState)

    def test_a_type_that_does_not_exist(self) -> None:
        names = " or ".join(f'"{name}"' for name in SCHEMAS)
        for wrong in ("Castle", "Plays", "position", "int"):
            with wording.raises(ParseError, f"$.type: expected {names}, not '{wrong}'"):
                json.from_data({"version": 3, "type": wrong})
            assert not WHOLE_SCHEMA.is_valid({"version": 3, "type": wrong})

    def test_tuples_are_arrays_in_errors_too(self) -> None:
        with wording.raises(ParseError, "$.value: expected an array of 2, not an array of 3"):
            json.from_data({"version": 3, "type": "Dice", "value": (1, 2, 3)})

    @loop.rows("value", None, 3, "Dice", [], float("nan"), object)
    def test_no_object(self, value: object) -> None:
        with wording.raises(ParseError, "$: expected an object, not "):
            json.from_data(value)

    @loop.rows("value", None, 3, "31", {}, [Dice(3, 1)], START.legal_plays("31"), Dice, MatchState.new)
    def test_no_form(self, value: Any) -> None:
        with wording.raises(ArgumentError, " has no JSON form; these have one: MatchState, Position, Play, "):
            json.dumps(value)

    @loop.rows("kind", int, dict, object, IllegalPlayReason, "Dice")
    def test_no_type(self, kind: Any) -> None:
        with wording.raises(ArgumentError, " has no JSON form; these have one: "):
            json.loads(json.dumps(Dice(3, 1)), kind)

    def test_an_illegal_play_keeps_its_proof(self) -> None:
        data = changed("Play31", {"moves": [{"from_point": 8, "to_point": 5, "hit": False}]})
        with wording.tells(IllegalPlayError, "$.argument", '"8/5" with 31', "24/23 8/5") as caught:
            json.from_data(
                {"version": 3, "type": "Event", "action": "play", "by": "to_act", "argument": without_head(data)}
            )
        assert (caught.value.reason, str(caught.value.witness)) == (IllegalPlayReason.BOTH_DICE, "24/23 8/5")

    @loop.rows("item", "{}", "1", "null")
    def test_a_million_wrong_items(self, item: str) -> None:
        """An error for each would take gigabytes."""
        items = ",".join([item] * (300_000 // (len(item) + 1)))
        with pytest.raises(ParseError) as caught:
            json.loads(f'{{"version":3,"type":"Event","action":"play","by":"to_act","argument":[{items}]}}')
        assert str(caught.value).startswith("$.argument: expected an array of 0 to 4, not an array of ")
        with wording.tells(ParseError, *(f"$.{name}" for name in "abcdefghij")):
            json.from_data(json.to_data(Cube()) | dict.fromkeys("abcdefghij"))

    def test_numbers_that_other_languages_round(self) -> None:
        """No value has such a number."""
        assert_lossless(MatchState.new(None, score=(MAX_POINTS, 0)))
        assert_lossless(MatchState.new(None, score=(MAX_POINTS, 0)).opening_roll(3, 1).resign().accept())
        assert_lossless(Double(Player.WHITE, 2**24, beavers=23))
        assert_lossless(Rules(beavers=1000, auto_doubles=1000, max_cube=2**24))


def without_head(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name not in {"version", "type"}}


class TestText:
    """Texts that are JSON for Python, or nearly, but not documents."""

    @loop.rows(
        ("text", "sentence"),
        ("", "this is not JSON: Expecting value: line 1 column 1 (char 0)"),
        (
            "{'version': 3}",
            "this is not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
        ),
        ("\ufeff{}", "this is not JSON: Unexpected UTF-8 BOM (decode using utf-8-sig): line 1 column 1 (char 0)"),
        (b'{"version":3}\xff', "this is not JSON: byte 13 is not UTF-8"),
        (3, "a JSON text is str or bytes, not 3"),
        ("[" * 200_000, "this is no document: it is nested too deeply"),
        (" " * 33_554_433, "a document has up to 33554432 characters, not 33554433"),
        ('{"version":3,"type":"Dice","value":[NaN,-Infinity]}', f"$.value[0]: {WHOLE} nan; $.value[1]: {WHOLE} -inf"),
        ('{"version":3,"type":"Dice","value":[3,' + "9" * 5000 + "]}", f"$.value[1]: numbers go up to {MAX_NUMBER}"),
        ('{"version":3,"type":"Dice","value":[3,-' + "9" * 5000 + "]}", f"$.value[1]: numbers go up to {MAX_NUMBER}"),
        ('{"version":3,"version":3,"type":"Dice","value":[3,1]}', "$.version: this field appears more than once"),
        ('{"version":3,"type":"Cube","value":1,"owner":null,"value":2}', "$.value: this field appears more than once"),
    )
    def test_refused(self, text: Any, sentence: str) -> None:
        with wording.raises(ParseError, sentence):
            json.loads(text)

    def test_bytes_of_any_kind(self) -> None:
        assert json.loads(bytearray(json.dumps(Dice(3, 1)), "utf-8")) == Dice(3, 1)

    def test_the_longest_document(self) -> None:
        """No value is too long to be read back."""
        longest = Event("play", Player.WHITE, "\U0001f3b2" * 200)
        assert json.loads(json.dumps(longest)) == longest
        with wording.raises(ArgumentError, "$: a play has at most 200 characters, but this text has 201"):
            json.from_data(json.to_data(longest) | {"argument": "x" * 201})

    def test_data_that_are_nested_too_deeply(self) -> None:
        deep: list[Any] = []
        for _ in range(100_000):
            deep = [deep]
        for path in ("length", "position", "position.points", "position.checkers", "score.0", "rules.start", "on_roll"):
            with pytest.raises(ParseError, match=f"^{path_pattern(path)}: expected .*, not an array of 1$"):
                json.from_data(changed("MatchState", {path: deep}))
        while deep:  # no deep recursion when it is thrown away either
            deep = deep.pop()


def path_pattern(path: str) -> str:
    return r"\$\." + path.replace(".0", r"\[0\]").replace(".", r"\.")


# --- the schema -----------------------------------------------------------------------------------


class TestSchema:
    """The published schema says what the code does."""

    def test_its_parts_say_the_same(self) -> None:
        """Of a document of each kind."""
        lines = [*DOCUMENTS, *documents(of_records=True)]
        assert SCHEMAS.keys() == {python_json.loads(line)["type"] for line in lines}
        for line in lines:
            document = python_json.loads(line)
            assert WHOLE_SCHEMA.is_valid(document)
            assert schema_for(document).is_valid(document)
            assert not schema_for(document).is_valid(document | {"more": 1})

    def test_is_a_schema(self) -> None:
        jsonschema.Draft202012Validator.check_schema(SCHEMA)
        assert SCHEMA["$id"] == f"urn:gammonrules:json:{json.VERSION}"
        assert SCHEMA["$defs"]["Version"]["const"] == json.VERSION

    def test_every_type(self) -> None:
        """In the order in which errors list them."""
        with pytest.raises(ArgumentError) as caught:
            json.schema(int)  # type: ignore[arg-type]
        listed = str(caught.value).rpartition(": ")[2].split(", ")
        assert [branch["properties"]["type"]["const"] for branch in SCHEMA["oneOf"]] == listed
        assert {*listed} == {*SCHEMAS} == {*KINDS} | OF_RECORDS
        assert set(SCHEMAS) <= set(SCHEMA["$defs"])

    def test_actions_of_events(self) -> None:
        branches = [branch["properties"]["action"] for branch in SCHEMA["$defs"]["Event"]["oneOf"]]
        named = [name for branch in branches for name in branch.get("enum", [branch.get("const")])]
        assert sorted(named) == sorted(Action)

    def test_cube_values(self) -> None:
        assert SCHEMA["$defs"]["CubeValue"]["enum"] == [2**power for power in range(25)]

    def test_each_call_gives_its_own(self) -> None:
        json.schema().clear()
        assert json.schema() == SCHEMA


def test_errors_travel() -> None:
    """Every kind of error can be given a place and keeps what it carries."""
    play = START.legal_plays("31").find("8/5 6/5")
    for error in (
        AmbiguousPlayError("which?", [play]),
        IllegalActionError("not now", IllegalActionReason.GAME_OVER),
        IllegalPlayError("no", IllegalPlayReason.BOTH_DICE, play),
    ):
        kept = vars(error).copy()
        error.add_note("a note of somebody else")
        placed = refusal(error)
        assert str(placed) == f"$: {error}"
        assert type(placed) is type(error)
        assert vars(placed) == kept
