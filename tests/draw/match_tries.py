"""Questions about random matches for `match.js`, what the library answers to each, and what is compared of a refusal.

A refusal that people read is the same, word for word. Of one that only programmers meet, the places are the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from json import dumps
from typing import Any

import attrs
from cattrs import BaseValidationError

import random_logs
from gammonrules import (
    Action,
    Dice,
    Event,
    Forfeit,
    GammonError,
    IllegalPlayError,
    MatchState,
    Move,
    Player,
    Position,
    SetPosition,
    json,
)
from gammonrules.errors import IllegalActionError, IllegalActionReason, MatchStateError, ParseError
from gammonrules.json._document import value_in
from gammonrules.json._kinds import KINDS
from gammonrules.json._strict import Leaf, ordered_leaves
from gammonrules.match import Cube, Phase
from gammonrules.rules import Rules

Try = tuple[list[Any], Any]
LEVELS = ["single", "gammon", "backgammon"]
STATE = {"MatchState": MatchState}


@attrs.frozen
class Refused:
    """What is compared of an error."""

    reason: str | None
    """Of an illegal play or action."""
    sentence: str | None = None
    """One that people read."""
    leaves: Sequence[Leaf] = ()
    """All that is wrong with a document, each with its place."""


def is_for_people(error: GammonError) -> bool:
    """Whether this is about a play or an action of somebody, and not about a document or an argument."""
    if isinstance(error, IllegalActionError):
        return error.reason is not IllegalActionReason.UNKNOWN_PLAYER
    is_play = isinstance(error, IllegalPlayError) and not str(error).startswith("$")
    return is_play or re.match(r"cannot read |a play has at most \d+ characters", str(error)) is not None


def refused(error: GammonError, leaves: Sequence[Leaf] = ()) -> Refused:
    reason = str(error.reason) if isinstance(error, IllegalActionError | IllegalPlayError) else None
    return Refused(reason, str(error) if is_for_people(error) else None, leaves)


def answer(question: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return question(*arguments)
    except GammonError as error:
        return refused(error)


def leaves_of(document: Any, kinds: Mapping[str, Any]) -> Sequence[Leaf]:
    """All that is wrong with a document."""
    try:
        value_in(document, kinds)
    except (GammonError, BaseValidationError) as error:
        return ordered_leaves(error)
    return ()


def answer_to_document(
    question: Callable[..., Any], *arguments: Any, document: Any, kinds: Mapping[str, Any] = KINDS
) -> Any:
    try:
        return question(*arguments, document)
    except GammonError as error:
        return refused(error, leaves_of(document, kinds))


# --- what JavaScript says of the same ---------------------------------------------------------------------------------


def agree(wanted: Any, answer: Any) -> bool:
    """Whether an answer of JavaScript, with what its error has, is this one."""
    if not isinstance(wanted, Refused):
        return bool(wanted == answer)
    if not isinstance(answer, dict) or "error" not in answer or answer.get("reason") != wanted.reason:
        return False
    problems = answer.get("problems")
    sentence = str(wanted.leaves[0].error) if is_illegal_play(wanted.leaves) else wanted.sentence
    if sentence is not None:
        return bool(answer["error"] == sentence and problems is None)
    return bool(problems) and (not wanted.leaves or are_there(wanted.leaves, problems))


def is_illegal_play(leaves: Sequence[Leaf]) -> bool:
    """Whether an illegal play is all that is wrong with a document: JavaScript has its sentence, and no problems."""
    return len(leaves) == 1 and isinstance(leaves[0].error, IllegalPlayError)


def path_of(leaf: Leaf) -> str:
    steps = [f".{place}" if is_name(place) else f"[{dumps(place)}]" for place in leaf.places]
    return f"${''.join(steps)}"


def is_name(place: object) -> bool:
    return isinstance(place, str) and re.fullmatch(r"[A-Za-z_]\w*", place, re.ASCII) is not None


def are_there(leaves: Sequence[Leaf], problems: Sequence[dict[str, Any]]) -> bool:
    """Whether each problem is at the place of a leaf, or within one whose value is impossible, and what is said there.

    Ten are told at most, and only where there are ten may a leaf have none.
    """
    errors = {path_of(leaf): leaf.error for leaf in leaves}
    inside: dict[str, list[dict[str, Any]]] = {path: [] for path in errors}
    for problem in problems:
        path = problem["path"]
        around = [path[:end] for end in range(len(path)) if path[end] in ".["]
        places = [path, *(place for place in reversed(around) if not isinstance(errors.get(place), ParseError))]
        place = next((place for place in places if place in errors), None)
        if place is None:
            return False
        inside[place].append(problem)
    if len(problems) == 10:
        inside = {path: told for path, told in inside.items() if told}
    return len(problems) <= 10 and all(is_said(errors[path], told) for path, told in inside.items())


def is_said(error: GammonError, problems: Sequence[dict[str, Any]]) -> bool:
    """Whether these are the problems of one place: the sentence of a play, as many contradictions of a state."""
    sentences = [problem.get("message") for problem in problems]
    if isinstance(error, IllegalPlayError):
        return sentences == [str(error)]
    if isinstance(error, MatchStateError) and not str(error).endswith("and more"):
        return len(problems) == len(str(error).split("; "))
    return bool(problems)


def actions(state: MatchState, player: Player | None) -> list[str]:
    legal = state.legal_actions if player is None else state.legal_actions_of(player)
    return [str(action) for action in Action if action in legal]


def facts(state: MatchState) -> list[Any]:
    """What is asked of every state."""
    return [
        str(state.phase),
        state.to_act,
        state.winner,
        *[actions(state, player) for player in (None, *Player)],
        {"points": [*state.view(Player.WHITE).points], "checkers": state.position.checkers},
    ]


def wins(state: MatchState, player: Player) -> list[str]:
    return [LEVELS[win - 1] for win in sorted(state.possible_wins(player))]


# --- events -----------------------------------------------------------------------------------------------------------


def some_event(rng: random.Random, state: MatchState) -> dict[str, Any]:
    """The document of an event, mostly of a legal one."""
    if rng.random() < 0.05:
        return by_the_house(rng, state)
    legal = sorted(state.legal_actions - {Action.RESIGN})
    usual = [action for action in legal if action not in (Action.DOUBLE, Action.DROP)]
    chosen = rng.choice(usual if usual and rng.random() < 0.7 else legal) if legal else Action.NEXT_GAME
    action = chosen if rng.random() < 0.9 else rng.choice([*Action])
    by = str(rng.choice([*Player])) if rng.random() < 0.2 else "to_act"
    document = {"version": json.VERSION, "type": "Event", "action": str(action), "by": by, "argument": None}
    return document | {"argument": some_argument(rng, state, action)}


def some_argument(rng: random.Random, state: MatchState, action: Action) -> Any:
    match action:
        case Action.OPENING_ROLL | Action.ROLL:
            return [rng.randint(1, 6), rng.randint(1, 6)]
        case Action.PLAY:
            return some_play(rng, state)
        case Action.RESIGN:
            return rng.choice(LEVELS)
        case Action.NEXT_GAME:
            boards = [json.to_data(Position.start(name)) for name in ("standard", "hypergammon")]
            start = rng.choice([None, None, "white", "black", *boards])
            return {"points": start["points"], "checkers": start["checkers"]} if isinstance(start, dict) else start
    return None


def some_play(rng: random.Random, state: MatchState) -> Any:
    """Mostly a legal play, as text, as moves or whole; else one of another roll."""
    dice = state.dice if state.dice is not None and rng.random() < 0.9 else (rng.randint(1, 6), rng.randint(1, 6))
    plays = state.position.legal_plays(dice)
    if not plays:
        return "8/5"
    play = rng.choice(plays)
    moves = [{"from_point": move.from_point, "to_point": move.to_point, "hit": move.hit} for move in play.moves]
    if rng.random() < 0.2:
        rng.shuffle(moves)
    for move in moves:
        move["hit"] = move["hit"] if rng.random() < 0.9 else rng.choice((True, False))
    if rng.random() < 0.1 and moves:
        moves.pop()
    kind = rng.random()
    if kind < 0.5:
        return str(play)
    if kind < 0.9:
        return moves
    return {name: value for name, value in json.to_data(play).items() if name not in ("version", "type")}


def by_the_house(rng: random.Random, state: MatchState) -> dict[str, Any]:
    if rng.random() < 0.5:
        return json.to_data(Forfeit(rng.choice([*Player]), rng.choice((None, None, 1, 2, 8, 10**9))))
    boards = [state.position, Position.start(), random_logs.bear_off(rng), Position.of({6: 15}, {3: 2})]
    boards += [Position.of({}, {3: 2}), Position.of({1: 1}, {}), Position.of({}, {24: 2, 19: 13})]
    cube = rng.choice((None, None, Cube(), Cube(2, Player.WHITE), Cube(8, Player.BLACK), Cube(64)))
    return json.to_data(SetPosition(rng.choice(boards), rng.choice([*Player]), cube))


def after(state: MatchState, document: dict[str, Any]) -> MatchState:
    event = json.from_data(document)
    assert isinstance(event, Event | SetPosition | Forfeit)
    return state.apply(event)


def beginnings(rng: random.Random) -> Iterator[MatchState]:
    while True:
        rules = rng.choice(random_logs.RULES)
        yield random_logs.beginning(rng, rules, None if rules.scoring == "pips" else rng.choice((None, 1, 2, 3, 5, 7)))


def steps(seed: int, count: int) -> Iterator[Try]:
    """So many events under all rules, each with the state that it leads to, or why it is refused."""
    rng = random.Random(seed)
    for start in beginnings(rng):
        state = start
        for _ in range(rng.choice((20, 100, 400))):
            data = json.to_data(state)
            document = some_event(rng, state)
            try:
                state = after(state, document)
                yield ["apply", data, document], json.to_data(state)
            except GammonError as error:
                yield ["apply", data, document], refused(error, leaves_of(document, KINDS))
            yield ["facts", json.to_data(state)], facts(state)
            if rng.random() < 0.01:
                player = rng.choice([*Player])
                yield ["possibleWins", json.to_data(state), player], wins(state, player)
            count -= 1
            if count == 0:
                return
            if state.winner is not None:
                break


# --- messages ---------------------------------------------------------------------------------------------------------


def some_message(rng: random.Random, state: MatchState) -> Any:
    """What a player sends: mostly an action that may be legal, with what may not be theirs."""
    legal = sorted(state.legal_actions)
    action = rng.choice(legal) if legal and rng.random() < 0.8 else rng.choice([*Action])
    message: dict[str, Any] = {"action": str(action)}
    if action is Action.PLAY:
        message["argument"] = some_play(rng, state)
    elif action is Action.RESIGN and rng.random() < 0.8:
        message["argument"] = rng.choice([*LEVELS, 1, 2, 3, 4, "x", True])
    elif rng.random() < 0.1:
        message["argument"] = rng.choice([[6, 6], "gammon", {"a": [1, {"b": [None, "x" * 50]}]}, None, 3, False, 0.5])
    changes = [{"by": "white"}, {"by": "to_act"}, {"by": None}, {"by": 3}, {"type": "Event"}, {"type": "Forfeit"}]
    changes += [{"version": 3}, {"version": 4}, {"version": True}, {"x y": 1}, {"action": "castle"}, {"action": None}]
    changes += [{"time": 3}, {"argument": [[13, 8], [6]]}, {"argument": [[25, 24]] * 5}, {"argument": "x" * 201}]
    changes += [{"argument": [{"from_point": 8}]}, {"argument": [[8, 5, True]]}]
    if rng.random() < 0.2:
        message |= rng.choice(changes)
    return message if rng.random() < 0.98 else rng.choice((None, "roll", [1], 3))


def received(state: MatchState, message: Any, player: Any, options: dict[str, Any]) -> Any:
    thrown = options["roll"]
    position = options.get("position")
    if position is not None:
        position = Position.from_points(position["points"], checkers=position["checkers"])
    starter = options.get("starter")
    event, state = state.receive(message, player, roll=lambda: thrown, starter=starter, position=position)
    return {"event": json.to_data(event), "state": json.to_data(state)}


def messages(seed: int, count: int) -> Iterator[Try]:
    rng = random.Random(seed)
    hypergammon = Position.start("hypergammon")
    board = {"points": [*hypergammon.points], "checkers": hypergammon.checkers}
    for start in beginnings(rng):
        state = start
        for _ in range(100):
            message = some_message(rng, state)
            players = [state.to_act or "white", *Player] if rng.random() < 0.98 else [None, "red"]
            player = rng.choice(players)
            options: dict[str, Any] = {"roll": [rng.randint(1, 6), rng.randint(1, 6)]}
            if rng.random() < (0.5 if state.phase is Phase.OVER else 0.02):
                options |= rng.choice([{"starter": "white"}, {"position": board}, {"starter": "red"}])
            if rng.random() < 0.02:
                options["roll"] = rng.choice([[0, 7], [3], "31", [1, "x"], None])
            wanted = answer(received, state, message, player, options)
            yield ["receive", json.to_data(state), message, player, options], wanted
            if not isinstance(wanted, Refused):
                state = json.from_data(wanted["state"], MatchState)
            count -= 1
            if count == 0:
                return
            if state.winner is not None:
                break


# --- arguments of any kind --------------------------------------------------------------------------------------------

NUMBERS = [0, 1, 2, 3, 4, 5, 6, 8, 13, 24, 25, 26, -1, -3, 0.5, 2.5, 1e21, 10**9 + 1, 2**31, 2**32 + 1, 2**53, 10**400]
WORDS = ["", "1", "2", " 3", "1.0", "0", "31", "single", "gammon", "backgammon", "Gammon", "single,", "white", "to_act"]
WORDS += ["null", "true", "8/5 6/5", "8/5", "__proto__", "length", "toString", "constructor", "\u0661", "x" * 201]
FIELDS = ["from_point", "to_point", "hit", "before", "dice", "moves", "points", "checkers", "__proto__", "length", "x"]


def any_value(rng: random.Random, deepest: int = 3) -> Any:
    """A value of JSON. It has no number such as 1.0, which JavaScript cannot tell from 1."""
    kind = rng.random()
    if kind < 0.5 or not deepest:
        return rng.choice([rng.choice(NUMBERS), rng.choice(NUMBERS), rng.choice(WORDS), None, True, False])
    if kind < 0.8:
        return [any_value(rng, deepest - 1) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4, 5)))]
    return {name: any_value(rng, deepest - 1) for name in rng.sample(FIELDS, rng.randrange(4))}


def any_play(rng: random.Random, state: MatchState) -> Any:
    """A play in one of the forms in which messages may have it, perhaps with something else in some place."""
    dice = state.dice if state.dice is not None and rng.random() < 0.9 else Dice(rng.randint(1, 6), rng.randint(1, 6))
    play = rng.choice(state.position.legal_plays(dice))
    moves = rng.choice([str(play), [any_move(rng, move) for move in play.moves]])
    if isinstance(moves, list):
        moves += rng.choice(([], [], [], [[-1, -1]], [[-1, -1, False]] * 4, [any_value(rng, 1)]))
    faces = rng.choice(([dice.high, dice.low], [dice.low, dice.high], str(dice), f" {dice.low} - {dice.high}  \t"))
    if rng.random() < 0.5:
        return moves if rng.random() < 0.5 else mutated(rng, moves)
    board = state.position if rng.random() < 0.9 else state.position.flip()
    whole = {"before": {"points": [*board.points], "checkers": board.checkers}, "dice": faces, "moves": moves}
    return whole if rng.random() < 0.3 else mutated(rng, whole)


def any_move(rng: random.Random, move: Move) -> Any:
    pair = move.from_point, move.to_point
    return rng.choice(([*pair], [*pair, move.hit], {"from_point": pair[0], "to_point": pair[1], "hit": move.hit}))


def arguments(seed: int, count: int) -> Iterator[Try]:
    """Messages with any argument where their action is legal: so many of each action."""
    rng = random.Random(seed)
    for action, state in one_of_each(rng):
        for _ in range(count):
            is_play = action is Action.PLAY and rng.random() < 0.8
            message = {"action": str(action), "argument": any_play(rng, state) if is_play else any_value(rng)}
            player = rng.choice([player for player in Player if action in state.legal_actions_of(player)])
            options = {"roll": [rng.randint(1, 6), rng.randint(1, 6)]}
            call = ["receive", json.to_data(state), message, player, options]
            yield call, answer(received, state, message, player, options)


def one_of_each(rng: random.Random) -> Iterator[tuple[Action, MatchState]]:
    """For each action a state in which it is legal."""
    missing = {*Action}
    for start in beginnings(rng):
        state = start
        for event in random_logs.events(rng, start):
            for action in sorted(missing & state.legal_actions):
                missing.remove(action)
                yield action, state
            state = state.apply(event)
        if not missing:
            return


# --- documents of strangers -------------------------------------------------------------------------------------------

JUNK = [None, True, 0, -1, 7, 2.5, 10**9 + 1, 2**31, 2**53, "x", "", "white", [], [1], [3, 1], [7, 0], {}, {"a": 1}]


def mutated(rng: random.Random, document: Any) -> Any:
    """The same with something else in one or two of its places."""
    if isinstance(document, dict) and document and rng.random() < 0.95:
        name = rng.choice([*document])
        kind = rng.random()
        if kind < 0.05:
            return {key: value for key, value in document.items() if key != name}
        if kind < 0.08:
            return document | {rng.choice(("x", "x y", "__proto__", "a" * 60)): 1}
        return document | {name: mutated(rng, document[name])}
    if isinstance(document, list) and document and rng.random() < 0.9:
        at = rng.randrange(len(document))
        return [*document[:at], mutated(rng, document[at]), *document[at + 1 :]]
    return rng.choice(JUNK)


def read_state(document: Any) -> dict[str, Any]:
    return json.to_data(json.from_data(document, MatchState))


def read_and_apply(state: MatchState, document: Any) -> dict[str, Any]:
    return json.to_data(after(state, document))


def is_event_of_json(wrong: Any, document: dict[str, Any]) -> bool:
    """Whether it has the type and the fields of an event, and no play in a form that only JavaScript takes."""
    if not isinstance(wrong, dict) or wrong.keys() != document.keys() or wrong["type"] != document["type"]:
        return False
    argument = wrong.get("argument")
    moves = argument.get("moves") if isinstance(argument, dict) else argument
    if isinstance(argument, dict) and isinstance(moves, str):
        return False
    return not isinstance(moves, list) or not any(isinstance(move, list) for move in moves)


def with_other_dice(rng: random.Random, document: dict[str, Any]) -> dict[str, Any]:
    """The event of a whole play, of which hardly any is legal with these dice."""
    return document | {"argument": document["argument"] | {"dice": [rng.randint(1, 6), rng.randint(1, 6)]}}


def strangers(seed: int, count: int) -> Iterator[Try]:
    """Events and states in which something is wrong."""
    rng = random.Random(seed)
    for start in beginnings(rng):
        state = start
        for _ in range(30):
            document = some_event(rng, state)
            is_whole = isinstance(document.get("argument"), dict) and "dice" in document["argument"]
            wrong = with_other_dice(rng, document) if is_whole and rng.random() < 0.5 else mutated(rng, document)
            if is_event_of_json(wrong, document):
                yield ["apply", json.to_data(state), wrong], answer_to_document(read_and_apply, state, document=wrong)
            data = mutated(rng, json.to_data(state))
            data = mutated(rng, data) if rng.random() < 0.3 else data
            yield ["readState", data], answer_to_document(read_state, document=data, kinds=STATE)
            answered = answer(after, state, document)
            state = answered if isinstance(answered, MatchState) else state
            count -= 1
            if count == 0:
                return
            if state.winner is not None:
                break


def setups(fields: Iterable[dict[str, Any]]) -> Iterator[Try]:
    """States of these fields, which may be impossible, with what makes them so."""
    for values in fields:
        document = {"version": json.VERSION, "type": "MatchState"}
        document |= {name: form(value) for name, value in values.items()}
        if document["offer"] is not None:
            document["offer"]["type"] = type(values["offer"]).__name__
        yield ["readState", document], answer_to_document(read_state, document=document, kinds=STATE)


def form(value: Any) -> Any:
    """A value as it stands inside a document."""
    if isinstance(value, tuple):
        return [*value]
    if not attrs.has(type(value)) and not isinstance(value, Enum):
        return value
    data = json.to_data(value)
    del data["version"], data["type"]
    return data.get("value", data) if len(data) == 1 else data


# --- new matches ------------------------------------------------------------------------------------------------------


def new_match(options: dict[str, Any]) -> dict[str, Any]:
    return json.to_data(MatchState.new(**options))


def with_rules(length: int | None, options: dict[str, Any]) -> dict[str, Any]:
    return json.to_data(MatchState.new(length, rules=Rules(**options)))


def new_matches(seed: int, count: int) -> Iterator[Try]:
    rng = random.Random(seed)
    boards = random_logs.CLOSED, Position.start("hypergammon"), Position.of({}, {3: 2})
    for _ in range(count):
        rules = rng.choice(random_logs.RULES)
        length = rng.choice((None, 1, 2, 3, 5, 7))
        options: dict[str, Any] = {
            "length": length,
            "rules": rules,
            "score": [rng.randrange(7), rng.randrange(7)],
            "crawford": rng.choice((True, False, None)),
            "position": rng.choice(boards),
        }
        kept = {"length", *rng.sample([*options], rng.randrange(len(options)))}
        chosen = {name: value for name, value in options.items() if name in kept}
        if rng.random() < 0.3:
            chosen |= rng.choice(WRONG_OPTIONS)
        yield ["newMatch", {name: form(value) for name, value in chosen.items()}], answer(new_match, chosen)
        changed = attrs.asdict(rules) | {rng.choice([*attrs.asdict(rules)]): rng.choice(OPTIONS)}
        yield ["newMatch", {"length": length, "rules": changed}], answer(with_rules, length, changed)


OPTIONS = [True, False, None, 0, 1, -1, 2, 3, 64, 1001, 2**24, 2**25, "x", "pips", "start"]
WRONG_OPTIONS: list[dict[str, Any]] = [
    *({"length": length} for length in (0, -1, 10**9, 10**9 + 1, 2**31, "7", True, 2.5)),
    *({"score": score} for score in ([1], [1, 2, 3], "12", 3, [10**9, 0], [10**9 + 1, -(10**9) - 1], [2**31, 0])),
    *({"crawford": crawford} for crawford in (1, "x", [True])),
]
