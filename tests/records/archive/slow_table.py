"""The table of decisions, made slowly from its definition, with states and events only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from gammonrules import Forfeit, SetPosition
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.match import Action, Event, MatchState, Phase, Player
from gammonrules.records import CubeAnalysis, Game, Match, PlayAnalysis, referee

KINDS = {
    "double": "double",
    "roll": "double",
    "take": "answer",
    "drop": "answer",
    "beaver": "answer",
    "play": "play",
    "resign": "resign",
    "accept": "resign_answer",
    "decline": "resign_answer",
}
ANALYSIS = (
    *("best", "equity_best", "equity", "error", "equity_no_double", "equity_double_take", "equity_double_drop"),
    *("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon", "luck", "engine", "level"),
)
STATISTICS = ("counts_xg", "counts_gnubg", "mwc_error", "luck_mwc", "rank", "equity_second", "mistake")
MISTAKES = {"roll": "missed_double", "double": "wrong_double", "take": "wrong_take", "drop": "wrong_drop"}


def rows(match: Match, file: str | None) -> Iterator[dict[str, Any]]:
    number_of = {game.number: index for index, game in enumerate(match.games, 1)}
    last = {(number_of[decision.game], decision.line): decision.index for decision in match.decisions()}
    places = [(finding.game, finding.line) for finding in referee(match) if finding.severity != "info"]
    every = [analysis for decision in match.decisions() if (analysis := decision.analysis)]
    stated = any(analysis.engine == "eXtreme Gammon" and analysis.stated_error is not None for analysis in every)
    nth: Counter[int] = Counter()
    for number, game in enumerate(match.games, 1):
        stored = list(game.analyses) or [None] * len(game.events)
        states, turn = list(game.states()), 1
        for index, event in enumerate(game.events):
            before, after = states[index], states[index + 1]
            if isinstance(event, (Forfeit, SetPosition)):
                turn += isinstance(event, SetPosition) and before.phase is Phase.TO_PLAY
                continue
            decider = event.by if isinstance(event.by, Player) else before.to_act
            kind = KINDS.get(event.action)
            if kind is not None and (event.action != "roll" or "double" in before.legal_actions):
                assert decider is not None
                nth[game.number] += 1
                row = {
                    "file": file,
                    "number": nth[game.number],
                    **about_match(match, decider),
                    "game": game.number,
                    "game_fingerprint": game.fingerprint,
                    "turn": turn,
                    **about_game(game, decider),
                    **about_state(before, decider),
                    "decision": kind,
                    **about_action(before, event, after),
                    "findings": sum(place[0] == number and last.get(place) == index for place in places),
                    "line": game.lines[index] if game.lines else None,
                    "take_point": take_point(before) if kind == "answer" else None,
                    "position_kind": str(before.position.kind),
                    **about_analysis(stored[index], before, event, kind),
                }
                yield row | about_statistics(row, stored[index], before, decider, stated=stated)
            turn += event.action == "play"


def take_point(state: MatchState) -> float | None:
    """By the chances of winning the match: that of dropping is between those of winning and of losing twice as much.

    Where the taker, but not the doubler, still needs the points of a redouble, losing it costs no more.
    """
    assert state.pending_double is not None
    if state.pending_double.beavers:
        return None
    doubler, cube = state.pending_double.by, state.cube.value
    assert doubler is not None
    if state.length is None:
        return 0.25
    taker = doubler.opponent
    away = state.length - state.score_before[doubler]
    taken = 4 * cube if away <= 2 * cube < state.length - state.score_before[taker] else 2 * cube
    lose, drop, win = (KAZAROSS_XG2.chance_after(state, doubler, points) for points in (2 * cube, cube, -taken))
    return None if lose == win else (lose - drop) / (lose - win)


def about_match(match: Match, decider: Player) -> dict[str, Any]:
    other = decider.opponent
    over = match.length is not None and not match.is_coin_game and max(match.score) >= match.length
    return {
        "match": match.fingerprint,
        "site": match.site or None,
        "event": match.event or None,
        "round": match.round or None,
        "date": match.date,
        "date_text": dict(match.tags).get("Date") or dict(match.tags).get("EventDate"),
        "length": match.length or 0,
        "coin_game": match.is_coin_game,
        "player": match.players[decider] or None,
        "opponent": match.players[other] or None,
        "seat": "white" if decider is Player.WHITE else "black",
        "rating": match.ratings[decider],
        "opponent_rating": match.ratings[other],
        "match_won": match.score[decider] >= (match.length or 0) if over else None,
    }


def about_game(game: Game, decider: Player) -> dict[str, Any]:
    other, length = decider.opponent, game.start.length
    result, stated, points = game.result, game.stated, None
    if result is not None:
        points = result.points * (1 if result.winner is decider else -1)
    elif stated is not None and stated.winner is not None and stated.points:
        points = stated.points * (1 if stated.winner is decider else -1)
    return {
        "score": game.score[decider],
        "opponent_score": game.score[other],
        "away": None if length is None else length - game.score[decider],
        "opponent_away": None if length is None else length - game.score[other],
        "crawford": game.start.crawford,
        "post_crawford": game.start.post_crawford,
        "game_points": points,
    }


def about_state(state: MatchState, decider: Player) -> dict[str, Any]:
    points = list(state.view(decider).points)
    mine = [max(0, count) for count in points]
    theirs = [max(0, -count) for count in reversed(points)]
    rear, front = (max((at for at in range(26) if side[at]), default=0) for side in (mine, theirs))
    owner = state.cube.owner
    return {
        "cube": state.cube.value,
        "cube_owner": "centered" if owner is None else "player" if owner is decider else "opponent",
        "dice": None if state.dice is None else f"{max(state.dice)}{min(state.dice)}",
        "position_id": state.view(decider).id,
        "xgid": state.xgid,
        "pips": sum(at * count for at, count in enumerate(mine)),
        "opponent_pips": sum(at * count for at, count in enumerate(theirs)),
        "bar": mine[25],
        "opponent_bar": theirs[25],
        "off": state.position.checkers - sum(mine),
        "opponent_off": state.position.checkers - sum(theirs),
        "race": rear + front < 25,
        **made(mine, ""),
        **made(theirs, "opponent_"),
    }


def made(side: list[int], prefix: str) -> dict[str, int]:
    """The longest prime and the number of anchors of one side."""
    points = {at for at in range(1, 25) if side[at] >= 2}
    primes = [length for length in range(25) for at in range(25) if points >= {*range(at + 1, at + 1 + length)}]
    return {f"{prefix}longest_prime": max(primes), f"{prefix}anchors": len(points & {*range(19, 25)})}


def about_action(before: MatchState, event: Event, after: MatchState) -> dict[str, Any]:
    words = str(event.action)
    if event.action is Action.RESIGN:
        words = {1: "single", 2: "gammon", 3: "backgammon"}[event.argument]
    if event.action is not Action.PLAY:
        return {"action": words, "plays": None, "forced": False, "hits": 0}
    plays = list(before.legal_plays)
    play = next(play for play in plays if play.position == after.position)
    hits = sum(move.hit for move in play.moves)
    return {"action": str(play), "plays": len(plays), "forced": len(plays) == 1, "hits": hits}


def about_analysis(stored: Any, state: MatchState, event: Event, kind: str) -> dict[str, Any]:
    analysis = stored.decode(stored.data, state) if hasattr(stored, "decode") else stored
    values: dict[str, Any] = dict.fromkeys(ANALYSIS)
    if isinstance(analysis, PlayAnalysis):
        values |= about_play(analysis)
        values["luck"] = analysis.luck if state.on_roll is event.by else None
    elif isinstance(analysis, CubeAnalysis):
        values |= about_cube(analysis, event, kind)
    return values


def about_statistics(
    row: dict[str, Any], stored: Any, state: MatchState, decider: Player, *, stated: bool
) -> dict[str, Any]:
    """What is asked of the values in a row, and of the candidates."""
    analysis = stored.decode(stored.data, state) if hasattr(stored, "decode") else stored
    if analysis is None:
        return dict.fromkeys(STATISTICS)
    plays = analysis.candidates if isinstance(analysis, PlayAnalysis) else ()
    equities = [play.equity for play in plays if play.equity is not None] or [0.0]
    counts = row["error"] is not None and not row["forced"]
    counts_xg = counts_gnubg = counts
    if row["decision"] == "play":
        counts_xg = counts and (analysis.stated_error is not None if stated else max(equities) - min(equities) > 0.0001)
    elif counts and row["action"] == "roll" and row["error"] == 0:
        known = None not in (analysis.double_take, analysis.double_drop, row["equity_best"])
        lost = row["equity_best"] - min(analysis.double_take, analysis.double_drop) if known else 9.0
        counts_xg, counts_gnubg = lost < 0.2, lost < 0.16
    return {
        "counts_xg": counts_xg,
        "counts_gnubg": counts_gnubg,
        "mwc_error": in_mwc(row["error"], state, decider),
        "luck_mwc": in_mwc(row["luck"], state, decider),
        "rank": None if not plays or analysis.played is None else analysis.played + 1,
        "equity_second": plays[1].equity if len(plays) > 1 else None,
        "mistake": MISTAKES.get(row["action"]) if row["error"] else None,
    }


def in_mwc(equity: float | None, state: MatchState, player: Player) -> float | None:
    if equity is None or state.length is None:
        return None
    chance, before = (KAZAROSS_XG2.to_chance(each, state, player) for each in (equity, 0))
    return None if chance is None or before is None else chance - before


def about_play(analysis: PlayAnalysis) -> dict[str, Any]:
    best = analysis.candidates[0] if analysis.candidates else None
    made = None if analysis.played is None else analysis.candidates[analysis.played]
    values: dict[str, Any] = {"luck": analysis.luck, "engine": analysis.engine or None, "error": analysis.stated_error}
    if best is not None:
        values |= {"best": best.play, "equity_best": best.equity, "level": best.level or None}
    if made is not None:
        values |= {"equity": made.equity, "level": made.level or None}
        if made.chances is not None:
            values |= {name: getattr(made.chances, name) for name in ANALYSIS[7:12]}
    if made is not None and best is not None and made.equity is not None and best.equity is not None:
        values["error"] = max(0.0, best.equity - made.equity)
    return values


def about_cube(analysis: CubeAnalysis, event: Event, kind: str) -> dict[str, Any]:
    values: dict[str, Any] = {
        "equity_no_double": analysis.no_double,
        "equity_double_take": analysis.double_take,
        "equity_double_drop": analysis.double_drop,
        "engine": analysis.engine or None,
        "level": analysis.level or None,
        "error": analysis.stated_error if kind == "double" else analysis.stated_answer_error,
    }
    if analysis.chances is not None:
        seen = analysis.chances if kind == "double" else analysis.chances.flip()
        values |= {name: getattr(seen, name) for name in ANALYSIS[7:12]}
    take, dropped = analysis.double_take, analysis.double_drop
    options: dict[str, float | None] = {"take": None, "drop": None}
    if kind == "double":
        double = None if take is None or dropped is None else min(take, dropped)
        options = {"roll": analysis.no_double, "double": double}
    elif take is not None and dropped is not None:
        options = {"take": -take, "drop": -dropped}
    values["equity"] = options.get(event.action)
    if kind == "answer":  # known even if the other equity is not
        values["equity"] = {"take": None if take is None else -take, "drop": None if dropped is None else -dropped}.get(
            event.action
        )
    if None not in options.values():
        best = max(options, key=lambda word: options[word] or 0.0)
        values |= {"best": best, "equity_best": options[best]}
        if values["equity"] is not None:
            values["error"] = max(0.0, (options[best] or 0.0) - values["equity"])
    return values
