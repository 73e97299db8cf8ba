"""The sentences of `reasons.json`, with the facts that a host has."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import gammonrules
from gammonrules import Action, MatchState, Player, Win
from gammonrules.limits import MAX_CUBE
from gammonrules.match import Resignation

FILE = Path(gammonrules.__file__).parent / "c" / "reasons.json"
TABLE = json.loads(FILE.read_text(encoding="utf-8"))
REASONS = {entry["name"]: entry for entry in TABLE["reasons"]}
PROBLEMS = {entry["number"]: entry for entry in TABLE["problems"]}


def counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def title(player: Player | None) -> str:
    return player.name.title() if player else "nobody"


def facts_of_action(state: MatchState, player: Player | None) -> dict[str, object]:
    """What a sentence may name, for the player who wants to act."""
    beavers = state.rules.beavers
    winner = state.winner or (state.result and state.result.winner)
    return {
        "opponent": title(player.opponent) if player else None,
        "answerer": title(state.to_act),
        "winner": title(winner),
        "points": counted(state.score[player], "point") if player else None,
        "cube": state.cube.value,
        "length": state.length,
        "highest": f"{state.rules.max_cube or MAX_CUBE:,}",
        "allowed": counted(beavers, "beaver") if beavers else "no beavers",
    }


def message(state: MatchState, action: Action, player: Player | None, reason: str) -> str:
    entry = REASONS[reason]
    template = entry["sentence"]
    if player is state.to_act:
        template = entry.get("to_answerer", template)
    sentence = template.format_map(facts_of_action(state, player))
    names = {"player": title(player), "action": action, "sentence": sentence}
    if reason == "pips_are_single":
        names["action"] = "resign a backgammon"
    kind = action if action in TABLE["messages"] else "other" if player else "nobody"
    text: str = TABLE["messages"][kind].format_map(names)
    return text


def problem_sentence(number: int, setup: SimpleNamespace, why: str) -> str:
    """The sentence of a problem; `why` is that of the reason, where there is one."""
    text: str = PROBLEMS[number]["sentence"].format_map(facts_of_fields(setup) | {"why": why})
    return text


def facts_of_fields(setup: SimpleNamespace) -> dict[str, object]:
    """What a sentence may name about fields that contradict each other."""
    result, offer = setup.result, setup.offer
    double = offer.double if isinstance(offer, Resignation) else offer
    before = [*setup.score]
    facts: dict[str, object] = {"score": "score", "cube": setup.cube.value, "length": setup.length}
    if result:
        before[list(Player).index(result.winner)] -= result.points
        counts = (result.win or 0) * setup.cube.value
        if setup.rules.scoring == "pips":
            is_mine = (setup.on_roll or Player.WHITE) is not result.winner
            counts = setup.position.pip_count if is_mine else setup.position.opponent_pip_count
        facts |= {"end": result.end, "awarded": result.points, "awarded_points": counted(result.points, "point")}
        facts |= {"counts": counts, "level": (result.win and result.win.name.lower()) or ""}
        if result.win is Win.SINGLE:
            facts["level"] = "single game"
        if before != [*setup.score]:
            facts["score"] = "score before this game"
    if double:
        facts |= {"doubler": title(double.by), "offered": double.value, "beavers": counted(double.beavers, "beaver")}
    if setup.length:
        facts["length_points"] = counted(setup.length, "point")
    return facts | {
        "white": before[0],
        "black": before[1],
        "white_points": counted(before[0], "point"),
        "black_points": counted(before[1], "point"),
        "sides": "both" if all(points + 1 == setup.length for points in before) else "none",
        "max_cube": setup.rules.max_cube,
        "number_allowed": setup.rules.beavers,
    }
