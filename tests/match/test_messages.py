"""What players send, through `MatchState.receive`: exactly what is theirs, and nothing that is the server's."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, ClassVar

import attrs
import pytest

import loop
import wording
from gammonrules import (
    MONEY,
    TO_ACT,
    TOURNAMENT,
    Action,
    Dice,
    Double,
    End,
    Event,
    Forfeit,
    MatchState,
    Phase,
    Play,
    Player,
    Position,
    Result,
    Rules,
    SetPosition,
    Win,
    json,
)
from gammonrules.errors import (
    ArgumentError,
    DiceError,
    GammonError,
    IllegalActionError,
    IllegalActionReason,
    MatchStateError,
    ParseError,
)
from gammonrules.match.events import Tries
from gammonrules.rules import BRETTSPIELWELT_SINGLE, PORTES

WHITE, BLACK = Player
READABLE = tuple(range(1, json.VERSION + 1))
"""The versions of the JSON form that are read."""
OPENING = MatchState.new(7)
TO_PLAY = MatchState(Position.start(), WHITE, "31", length=7)
TO_ROLL = MatchState(Position.start(), BLACK, length=7)
DOUBLED = attrs.evolve(TO_ROLL, offer=Double(BLACK, 2))
OVER = attrs.evolve(TO_ROLL, score=(0, 1), result=Result(BLACK, Win.SINGLE, 1, End.DROPPED))
SMALL = Position.start("hypergammon")


def never() -> tuple[int, int]:
    pytest.fail("dice were thrown that nobody needs")


def loaded(value: object) -> Any:
    return lambda: value


# --- the law ----------------------------------------------------------------------------------------------------------

FIELDS = ("type", "version", "action", "by", "argument", "time")
SEATS = (WHITE, BLACK, "white", "black", None, TO_ACT, "to_act", "White", 0, 1, True, [], Win.SINGLE)
TABLES = (
    (1, TOURNAMENT, None),
    (3, TOURNAMENT, None),
    (None, Rules(beavers=2, auto_doubles=2), None),
    (5, PORTES, None),
    (None, BRETTSPIELWELT_SINGLE, None),
    (3, Rules(opening="reroll"), SMALL),
    (None, MONEY, Position.of(mine={2: 2}, theirs={3: 2}, checkers=2)),
)
"""Length, rules, and the board of each game if it is another than that of the rules."""


@cache
def nonsense() -> tuple[Any, ...]:
    """Dice, starters, boards and worse, which no message brings in."""
    return (
        *(True, 0, 1, 2, 3, 7, -1, 2.0, 10**400, "", "x" * 300, "31", "black", "to_act", "gammon", "Gammon", "8/5 6/5"),
        *([], {}, [6, 6], [6, 1], (6, 1), [[[[]]]], [[24, 1]], [[8, 7]] * 9, [None], [0] * 10**4, {"x": 1}, b"31"),
        *(WHITE, BLACK, TO_ACT, Win.GAMMON, Action.ROLL, Dice(6, 6), Position.start(), SMALL, Forfeit(BLACK)),
        TO_PLAY.legal_plays.find("8/5 6/5"),
        {"points": list(SMALL.points), "checkers": 3},
        {"before": {"points": [0] * 26, "checkers": 1}, "dice": [6, 6], "moves": []},
        {"before": {"before": {}, "dice": 1, "moves": 1}, "dice": {}, "moves": {}},
    )


def forms_of(play: Play) -> tuple[Any, ...]:
    """Every way in which a player may send a play."""
    pairs = [[move.from_point, move.to_point] for move in play.moves]
    objects = [{"from_point": start, "to_point": end, "hit": False} for start, end in pairs]
    same = json.to_data(play)
    return str(play), pairs, objects, play, play.moves, {name: same[name] for name in ("before", "dice", "moves")}


def message(state: MatchState, seat: object, rng: random.Random) -> object:
    """Something that a player may send, or nearly, or not at all."""
    theirs = sorted(state.legal_actions_of(seat if seat in [*Player] else rng.choice([*Player])))
    theirs = [it for it in theirs if it != "resign" or rng.random() < 0.2] or [*Action]
    action = rng.choice(theirs if rng.random() < 0.8 else [*Action, *nonsense()])
    fields: dict[Any, Any] = {"action": rng.choice([action, str(action)])}
    argument = rng.choice([None, Win.GAMMON, 1, "backgammon", "single"]) if action == "resign" else None
    if action == "play" and state.phase == "to_play":
        argument = rng.choice(forms_of(rng.choice(state.legal_plays)))
    if argument is not None or rng.random() < 0.3:
        fields["argument"] = argument
    for name, own in (("by", (seat, "to_act", TO_ACT)), ("type", ["Event"]), ("version", READABLE)):
        if rng.random() < 0.2:
            fields[name] = rng.choice(own)
    if rng.random() < 0.2:
        fields["time"] = rng.choice(nonsense())
    if rng.random() < 0.3:
        fields[rng.choice([*FIELDS, "dice", "starter", "position", "roll", 7])] = rng.choice([*nonsense(), None])
    return rng.choice([fields] * 3 + [as_event(fields, rng)]) if rng.random() < 0.95 else rng.choice(nonsense())


def as_event(fields: dict[Any, Any], rng: random.Random) -> object:
    """The same as an `Event`, with what an event needs, or as it is if it can be none."""
    argument = fields.get("argument")
    if argument is None:
        argument = {"roll": (6, 6), "opening_roll": (6, 1), "next_game": rng.choice([None, WHITE, SMALL])}.get(
            str(fields["action"])
        )
    try:
        return Event(fields["action"], fields.get("by", TO_ACT), argument)  # type: ignore[call-overload]
    except GammonError:
        return fields


def is_theirs(state: MatchState, seat: object, sent: object, agreed: Mapping[str, object]) -> bool:
    """The law: the action is listed for this player, and they say no more than is theirs."""
    if isinstance(sent, Event):
        sent = {"action": sent.action, "by": sent.by, "argument": sent.argument}
    if not isinstance(seat, str) or seat not in {"white", "black"} or not isinstance(sent, dict):
        return False
    action, argument, by, version = (sent.get(name) for name in ("action", "argument", "by", "version"))
    if not {*sent} <= {*FIELDS} or sent.get("type", "Event") != "Event":
        return False
    if "version" in sent and (type(version) is not int or version not in READABLE):
        return False
    if "by" in sent and by is not TO_ACT and by not in (seat, "to_act"):
        return False
    if not isinstance(action, str) or action not in state.legal_actions_of(Player(seat)):
        return False
    if action == "play":
        return is_legal(state, argument)
    if action == "resign":
        if type(argument) not in {type(None), Win, int, str}:
            return False
        single = argument in (None, 1, "single")
        return single or (argument in (2, 3, "gammon", "backgammon") and state.rules.scoring != "pips")  # an exception
    needs_board = state.position.checkers != Position.start(state.rules.start).checkers
    return argument is None and not (action == "next_game" and needs_board and "position" not in agreed)  # the other


def is_legal(state: MatchState, argument: Any) -> bool:
    """Whether this is a legal play of the table's own dice, on its own board."""
    if isinstance(argument, dict):
        own = [json.to_data(play) for play in state.legal_plays]
        return any(argument == {name: same[name] for name in ("before", "dice", "moves")} for same in own)
    if isinstance(argument, list):
        argument = [(it["from_point"], it["to_point"]) if isinstance(it, dict) and it else it for it in argument]
    if not isinstance(argument, str | list | tuple | Play) or (isinstance(argument, str) and len(argument) > 200):
        return False
    try:
        return state.legal_plays.find(argument) is not None
    except GammonError:
        return False


class Thrown:
    """Dice in the order in which the server throws them."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.dice = rng, list[tuple[int, int]]()

    def __call__(self) -> tuple[int, int] | list[int]:
        self.dice.append((self.rng.randint(1, 6), self.rng.randint(1, 6)))
        return self.rng.choice([self.dice[-1], [*self.dice[-1]]])


def check_taken(before: MatchState, seat: Player, event: Event, after: MatchState, thrown: Thrown, agreed: Any) -> None:
    """What has happened is what the player did, with the server's dice, starter and board, and `apply` repeats it."""
    assert before.apply(event) == before.apply(json.loads(json.dumps(event), Event)) == after
    assert before.canonical(event) == event
    assert event.by is (TO_ACT if event.action in {Action.OPENING_ROLL, Action.NEXT_GAME} else seat)
    match event.action:
        case Action.ROLL | Action.OPENING_ROLL:
            (dice,) = thrown.dice
            white, black = dice
            thrown_in_order = Dice(*dice) if event.action is Action.ROLL else dice
            assert event.argument == thrown_in_order
            assert after == (before.roll(dice) if event.action is Action.ROLL else before.opening_roll(white, black))
            return
        case Action.PLAY:
            assert after.view(seat) in {play.position.flip() for play in before.legal_plays}
        case Action.NEXT_GAME:
            assert event.argument is next(iter(agreed.values()), None)
            assert after == before.next_game(**agreed)
        case Action.RESIGN:
            assert after == before.resign(event.argument, by=seat)
        case _:
            assert after == getattr(before, event.action)(by=seat)
    assert thrown.dice == []


def tables(rng: random.Random) -> Iterator[tuple[MatchState, Mapping[str, Any]]]:
    """The states of matches without end, each with what the server says of a next game there."""
    while True:
        length, rules, board = rng.choice(TABLES)
        state = MatchState.new(length, rules=rules, position=board)
        for _ in range(rng.randint(1, 400)):
            actor = state.to_act or WHITE
            starts = {}, {"starter": rng.choice([*Player])}, {"position": board or Position.start(rules.start)}
            yield state, rng.choice(starts) if state.result else {}
            if not (legal := sorted(state.legal_actions)):
                break
            action = rng.choice(legal if rng.random() < 0.3 else [it for it in legal if it != "resign"])
            if action == "next_game":
                state = state.next_game(position=board)
                continue
            argument = str(rng.choice(state.legal_plays)) if action == "play" else None
            _, state = state.receive({"action": action, "argument": argument}, actor, roll=Thrown(rng))


def counts(number: int, seed: int) -> Counter[tuple[str, ...]]:
    """Send so many messages; how many were taken and refused, by phase and by action."""
    rng, told = random.Random(seed), Counter[tuple[str, ...]]()
    states = tables(rng)
    state, agreed = next(states)
    for at in range(number):
        if at % 4 == 0:
            state, agreed = next(states)
        seat, thrown = rng.choice([*Player] * 6 + [*SEATS]), Thrown(rng)
        sent = message(state, seat, rng)
        theirs = is_theirs(state, seat, sent, agreed)
        try:
            event, after = state.receive(sent, seat, roll=thrown, **agreed)  # type: ignore[arg-type]
        except GammonError as error:
            wording.check(error)
            assert not theirs, f"refused: {sent!r} by {seat!r}: {error}"
            assert thrown.dice == []
            told["refused", state.phase] += 1
            continue
        assert theirs, f"taken: {sent!r} by {seat!r} in {state!r}"
        check_taken(state, Player(seat), event, after, thrown, agreed)
        told["taken", state.phase] += 1
        told["action", event.action] += 1
    return told


@pytest.mark.parametrize("number", [1_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_what_is_taken(number: int) -> None:
    """Exactly what `legal_actions_of` lists, with a play or a level that is the player's, and nothing of the server's.

    By both seats and by strangers, in all phases. The exceptions: a resignation is single with pip scoring, and a next
    game needs a position if its rules begin with another number of checkers.
    """
    told = counts(number, seed=number)
    assert min(told[kind, phase] for kind in ("taken", "refused") for phase in Phase) >= number // 200
    assert min(told["action", action] for action in Action) >= number // 1_000


# --- what the law does not say ----------------------------------------------------------------------------------------


class TestTries:
    def test_nothing_wrong(self):
        Tries().refuse()

    def test_one_error_is_raised_as_it_is(self):
        error = IllegalActionError("not now", IllegalActionReason.GAME_OVER)
        tries = Tries()
        assert tries.read(int, "3") == 3
        assert tries.read(self.refused, error) is None
        with pytest.raises(IllegalActionError) as caught:
            tries.refuse()
        assert caught.value is error

    def test_several_errors_become_one(self):
        tries = Tries()
        for number in range(3):
            tries.read(self.refused, ArgumentError(f"error {number}"))
        with pytest.raises(ArgumentError, match=r"^error 0; error 1; error 2$"):
            tries.refuse()

    def test_an_error_of_another_kind_is_none_of_its_business(self):
        with pytest.raises(KeyError):
            Tries().read({}.__getitem__, "x")

    def refused(self, error: Exception) -> None:
        raise error


class TestDice:
    """They are thrown where they are needed, and are those of `roll`."""

    @loop.rows(
        ("thrown", "error", "sentence"),
        (None, ArgumentError, "roll() gives two ints, not None"),
        ("31", ArgumentError, "roll() gives two ints, not '31'"),
        ((3, 1, 1), ArgumentError, "roll() gives two ints, not (3, 1, 1)"),
        ((0, 7), DiceError, "a die must be a whole number from 1 to 6, not 0 and 7"),
        ((True, 2.0), DiceError, "a die must be a whole number from 1 to 6, not True and 2.0"),
    )
    def test_rubbish(self, thrown, error, sentence):
        """After what is no roll, nothing has changed: the same state takes the next."""
        for before, action in ((OPENING, "opening_roll"), (TO_ROLL, "roll")):
            with wording.raises(error, sentence):
                before.receive({"action": action}, BLACK, roll=loaded(thrown))
            _, after = before.receive({"action": action}, BLACK, roll=loaded([2, 1]))
            assert after.dice == Dice(2, 1)

    def test_what_roll_raises_is_passed_on(self):
        def fail() -> tuple[int, int]:
            raise OSError("no entropy")

        with pytest.raises(OSError, match="no entropy"):
            TO_ROLL.receive({"action": "roll"}, BLACK, roll=fail)
        with wording.raises(ArgumentError, "roll must be a function, not (3, 1)"):
            TO_PLAY.receive({"action": "play", "argument": "8/5 6/5"}, WHITE, roll=(3, 1))

    def test_sorted_dice_say_nobody_starts(self):
        """`opening_roll(*Dice(1, 3))` starts White, always: so they are refused where the order counts."""
        assert TO_ROLL.receive({"action": "roll"}, BLACK, roll=loaded(Dice(1, 3)))[1].dice == Dice(3, 1)
        with wording.tells(ArgumentError, "roll()", "Dice", "White"):
            OPENING.receive({"action": "opening_roll"}, BLACK, roll=loaded(Dice(1, 3)))
        assert OPENING.receive({"action": "opening_roll"}, WHITE, roll=loaded((1, 3)))[1].on_roll is BLACK


class TestNextGame:
    """Who starts and on which board is the server's to say, and only of a next game."""

    SENT: ClassVar = {"action": "next_game"}

    def test_the_server_may_say(self):
        for agreed, argument in (({}, None), ({"starter": BLACK}, BLACK), ({"position": SMALL}, SMALL)):
            event, after = OVER.receive(self.SENT, WHITE, roll=never, **agreed)
            assert event == Event("next_game", argument=argument)
            assert after == OVER.next_game(**agreed)

    @loop.rows(
        ("before", "agreed", "sentence"),
        (OVER, {"starter": WHITE, "position": SMALL}, "a next game takes a starter or a position, not both"),
        (OVER, {"starter": "White"}, "starter must be Player.WHITE or Player.BLACK, not 'White'"),
        (OVER, {"starter": SMALL}, "starter must be Player.WHITE or Player.BLACK"),
        (OVER, {"position": WHITE}, "position must be a Position, not Player.WHITE"),
        (TO_ROLL, {"starter": WHITE}, "starter and position are for a next game"),
        (OPENING, {"position": SMALL}, "starter and position are for a next game"),
    )
    def test_what_it_cannot_say(self, before, agreed, sentence):
        for action in ("next_game", "roll", "opening_roll"):
            with wording.raises(ArgumentError, sentence):
                before.receive({"action": action}, BLACK, roll=never, **agreed)

    def test_a_board_that_is_needed(self):
        over = MatchState.new(None, position=SMALL).forfeit(WHITE, 1)
        for agreed in ({}, {"starter": BLACK}):
            with wording.tells(MatchStateError, "position", "15", "3"):
                over.receive(self.SENT, WHITE, roll=never, **agreed)
        assert over.receive(self.SENT, WHITE, roll=never, position=SMALL)[1].position == SMALL


@loop.rows(
    ("sent", "error", "named"),
    (Forfeit(WHITE), ArgumentError, "Forfeit"),
    (SetPosition(SMALL, BLACK), ArgumentError, "SetPosition"),
    (json.to_data(Forfeit(WHITE)), ParseError, "loser"),
    ({"version": json.VERSION + 1, "action": "roll"}, ParseError, str(json.VERSION + 1)),
    ({"action": "roll", "dice": [6, 6]}, ParseError, "dice"),
    ({}, ArgumentError, "action"),
    ({"action": "castle"}, ArgumentError, "castle"),
    ({"action": "roll", "argument": [6, 6]}, ArgumentError, "[6, 6]"),
    (Event("opening_roll", argument=(6, 1)), ArgumentError, "(6, 1)"),
    (Event("next_game", argument=WHITE), ArgumentError, "Player.WHITE"),
    (Event("roll", WHITE, "31"), IllegalActionError, "White"),
    ({"action": "play", "argument": {"before": {}, "dice": [3, 1], "moves": []}}, IllegalActionError, "rolled"),
)
def test_what_is_refused_and_how(sent: object, error: type[Exception], named: str) -> None:
    for before in (TO_ROLL, DOUBLED.take()):
        with wording.tells(error, named):
            before.receive(sent, BLACK, roll=never)


@loop.rows("field", "die", "more", 7)
def test_the_objects_of_a_play_have_no_other_fields(field: object) -> None:
    play = TO_PLAY.legal_plays.find("8/5 6/5")
    _, _, moves, _, _, played = forms_of(play)
    for argument in (played, moves):
        _, after = TO_PLAY.receive({"action": "play", "argument": argument}, WHITE, roll=never)
        assert after == TO_PLAY.play(play)
    for argument in (played | {field: 1}, [moves[0] | {field: 1}, moves[1]]):
        with wording.tells(ParseError, "object"):
            TO_PLAY.receive({"action": "play", "argument": argument}, WHITE, roll=never)


def test_time_is_the_servers() -> None:
    for sent in (Event("double").at(7), {"action": "double", "time": [[]]}):
        event, _ = TO_ROLL.receive(sent, BLACK, roll=never)
        assert (event, event.time) == (Event("double", BLACK), None)
