"""The page of some rows of the table of decisions: a board for each, which leads to the page of its match."""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from operator import itemgetter
from pathlib import PurePath
from typing import Any, Final

from attrs import frozen

from gammonrules.analysis import CubeAnalysis
from gammonrules.analysis.internals import FEW_PLAYS, MIN_SEEN, cell_text, cube_verdict, signed
from gammonrules.errors import GammonError
from gammonrules.match import Action, MatchState
from gammonrules.records.page.html_tables import UNKNOWN
from gammonrules.records.page.move_list import shown_name
from gammonrules.records.page.quiz import (
    CUBE_CHOICES,
    Alternative,
    choice_buttons,
    in_order_of_words,
    quiz,
    quiz_board,
)
from gammonrules.records.page.report import page_beside, style
from gammonrules.records.page.template import COLUMNS_OF_ROWS, document, filled, name_in_row, part
from gammonrules.records.transcript import DecisionKind, known_play

_KEY: Final = {"best": "best", "made": "what was done instead", "both": "in both"}
_KINDS: Final = {"play": "checker plays", "double": "doubles", "answer": "takes"}
_MAX_CHIPS: Final = 10
"""Of players, and of kinds of positions: those with the most rows."""
_EQUITIES_OF_CUBE: Final = "equity_no_double", "equity_double_take", "equity_double_drop"
_CUBE_ACTIONS: Final = Action.ROLL, Action.DOUBLE, Action.TAKE, Action.DROP
_NOTHING: Final = "No decision meets this."
_key_of: Final = itemgetter("file", "game", "number")
"""What a decision and its candidates have in common."""
_ATTRIBUTES: Final = {"player": "player", "decision": "decision", "position_kind": "kind"}
"""By what chips choose rows: the columns, and the attributes that have them."""
_GROUPS: Final = {"player": "Players", "decision": "Decisions", "position_kind": "Positions"}
_TELLING: Final = re.compile(r"\b(mistake|action|best)\b")
"""A question about these tells the answer."""
_QUESTIONS: Final[dict[Any, str]] = {
    DecisionKind.PLAY: "Which play is best?",
    DecisionKind.DOUBLE: "Double or roll?",
    DecisionKind.ANSWER: "Take or drop?",
}
_DECIDE: Final = "What is best?"


@frozen
class _RowBoard:
    """The board of a row, with the words about its two sides."""

    picture: str
    light: str
    dark: str


@frozen
class _AboutCube:
    """What the answer to a question about the cube says; nothing where it is not known."""

    verdict: str = ""
    """The best action and the answer to it, where the question is whether to double."""
    equities: str = ""

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> _AboutCube:
        analysis = _cube_analysis(row)
        if analysis is None:
            return cls()
        no_double, double_take, double_drop = map(signed, _equities_of_cube(row))
        equities = (
            f"<p>Equity: no double {no_double}; double, take {double_take}; "
            f"double, drop {double_drop}</p>\n"
        )
        is_double = row.get("decision") == DecisionKind.DOUBLE
        return cls(cube_verdict(analysis) if is_double else "", equities)


def page_of_rows(
    rows: Sequence[Mapping[str, Any]],
    candidates: Iterable[Mapping[str, Any]],
    count: str,
    title: str,
    file: str | None,
) -> str:
    by_decision: defaultdict[Any, list[Mapping[str, Any]]] = defaultdict(list)
    for candidate in candidates:
        by_decision[_key_of(candidate)].append(candidate)
    articles: list[str] = []
    for row in rows:
        own = by_decision[_key_of(row)] if by_decision else []
        articles.append(_article(row, own, file))
    drawn = "".join(articles)
    tells = _TELLING.search(title) is not None
    heading = f"{shown_name(title)} <small>{count}</small>"
    if tells:
        heading = f"{_asked(rows)} <small>{count}</small>" if rows else count
    pieces = {
        "heading": heading,
        "title": shown_name(title),
        "asked": "" if tells else " hidden",
        "some": " hidden" if rows else "",
        "nothing": _NOTHING,
        "chips": "".join(_groups_of_chips(rows)),
        "quiz": quiz(starts=True),
        "key": marks_in(_KEY, drawn),
        "hidden": "" if rows else " hidden",
        "rows": drawn,
        "script": part("quiz.js"),
    }
    body = filled(part("decisions_page.html"), pieces)
    return document(escape(cell_text(title)), style(), body, script=part("quiz.js"), command="find")


def _asked(rows: Sequence[Mapping[str, Any]]) -> str:
    """The heading that says what the reader decides, where the words of the search would tell the answers."""
    kinds = {row.get("decision") for row in rows}
    questions = {_QUESTIONS.get(kind, _DECIDE) for kind in kinds}
    return questions.pop() if len(questions) == 1 else _DECIDE


def _groups_of_chips(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Buttons that show only the rows of some players or kinds; none where all have the same."""
    for column, attribute in _ATTRIBUTES.items():
        counts = Counter(_shown_in(row, column) for row in rows)
        if len(counts) < 2:
            continue
        words = _GROUPS[column]
        yield f'<div role="group" aria-label="{words}"><span>{words}</span>\n'
        for value, number in counts.most_common(_MAX_CHIPS):
            yield _chip(attribute, value, number)
        yield "</div>\n"


def _chip(attribute: str, value: str, number: int) -> str:
    words = _KINDS.get(value, value) if attribute == "decision" else value
    return (
        f'<button type="button" aria-pressed="false" data-of="{attribute}" '
        f'data-value="{escape(value)}">{shown_name(words or UNKNOWN)} '
        f"<small>{number}</small></button>\n"
    )


def _shown_in(row: Mapping[str, Any], column: str) -> str:
    """A value of a row as it is shown, also of a player who has no name."""
    return cell_text(name_in_row(row, column))


def marks_in(words: Mapping[str, str], drawn: str) -> str:
    """The meanings of the marks that have been drawn."""
    seen = {*re.findall(r'class="(?:arrow )?(\w+)"', drawn)}
    spans = [f'<span class="{mark}">{text}</span>' for mark, text in words.items() if mark in seen]
    return " ".join(spans)


def _cost_of_row(row: Mapping[str, Any]) -> float:
    """The cost of a decision; 0 if that is not known."""
    cost: float | None = row.get("error")
    return cost or 0


def _article(
    row: Mapping[str, Any], candidates: Iterable[Mapping[str, Any]], file: str | None
) -> str:
    texts = {name: shown_name(_shown_in(row, name) or UNKNOWN) for name in COLUMNS_OF_ROWS}
    for name in ("action", "best"):
        if row.get(name) == "roll":
            texts[name] = "no double"
    for name in ("away", "opponent_away"):
        texts[name] = f"{texts[name]} away" if row.get(name) else "money play"
    is_wrong = bool(row.get("best")) and _cost_of_row(row) >= MIN_SEEN
    cube = _AboutCube.of(row)
    board = _board_of_row(row, texts, is_wrong=is_wrong)
    link = ""
    page = page_beside(file, row.get("file") or "")
    if page:
        link = f' · <a href="{page}#{escape(row.get("xgid") or "")}">in the match</a>'
    values = [
        f' data-{attribute}="{escape(_shown_in(row, column))}"'
        for column, attribute in _ATTRIBUTES.items()
    ]
    pieces = texts | {
        "data": "".join(values),
        "choices": choice_buttons(_choices_of_row(row, candidates, is_wrong=is_wrong)),
        "file": shown_name(PurePath(row.get("file") or UNKNOWN).name),
        "link": link,
        "question": _question_of_row(row, texts),
        "equities": cube.equities,
        "board": board.picture,
        "light": board.light,
        "dark": board.dark,
    }
    if is_wrong:
        pieces["cost"] = f' <b class="loss">lost {row["error"]:.3f}</b>'
        pieces["open"] = ""
        pieces["mark"] = "made"
        pieces["instead"] = (
            f'<p class="best">{cube.verdict or texts["best"]} <small>best</small></p>'
        )
    else:  # there is no better answer to hide
        pieces["cost"] = ""
        pieces["open"] = " open"
        pieces["mark"] = ""
        pieces["instead"] = ""
    return filled(part("row.html"), pieces)


def _choices_of_row(
    row: Mapping[str, Any], candidates: Iterable[Mapping[str, Any]], *, is_wrong: bool
) -> list[Alternative]:
    """The choices in a decision, as far as row and candidates say; nothing if the best is not known."""
    action = cell_text(row.get("action"))
    best = cell_text(row.get("best")) if is_wrong else action
    if not best or row.get("error") is None:
        return []
    costs = {best: 0.0, action: _cost_of_row(row)}
    actions = CUBE_CHOICES.get(cell_text(row.get("decision")))
    if actions:
        costs = _costs_of_cube_actions(row) | costs
        return [
            Alternative(words, costs.get(cube_action)) for words, cube_action in actions.items()
        ]
    for play, cost in _candidate_costs(row, candidates):
        if len(costs) < FEW_PLAYS:
            costs.setdefault(play, cost)
    return in_order_of_words([Alternative(play, cost) for play, cost in costs.items()])


def _costs_of_cube_actions(row: Mapping[str, Any]) -> dict[str, float]:
    """The cost of each action with the cube; nothing where that is not known."""
    analysis = _cube_analysis(row)
    if analysis is None:
        return {}
    costs = {action: analysis.error_of(action) for action in _CUBE_ACTIONS}
    return {action: cost for action, cost in costs.items() if cost is not None}


def _cube_analysis(row: Mapping[str, Any]) -> CubeAnalysis | None:
    """None where an equity, all of which the doubler sees, is missing."""
    equities = _equities_of_cube(row)
    if not all(isinstance(equity, float) and math.isfinite(equity) for equity in equities):
        return None
    return CubeAnalysis(*equities)


def _equities_of_cube(row: Mapping[str, Any]) -> list[Any]:
    return [row.get(column) for column in _EQUITIES_OF_CUBE]


def _candidate_costs(
    row: Mapping[str, Any], candidates: Iterable[Mapping[str, Any]]
) -> Iterator[tuple[str, float]]:
    """The plays that lead to the boards of candidates, the best first, and what they cost."""
    best_equity = row.get("equity_best")
    if best_equity is None:
        return
    try:
        plays = _state_of_row(row).legal_plays
    except GammonError:
        return
    play_to = {play.position.id: str(play) for play in plays}
    known = [candidate for candidate in candidates if candidate["equity"] is not None]
    for candidate in sorted(known, key=itemgetter("equity"), reverse=True):
        play = play_to.get(candidate["position_id"])
        if play is not None:
            yield play, max(best_equity - candidate["equity"], 0.0)


def _question_of_row(row: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    if row.get("dice"):
        return f" to play {texts['dice']}"
    is_double = row.get("action") in {"double", "roll"}
    return ": double or roll?" if is_double else ": take or drop?"


def _board_of_row(row: Mapping[str, Any], texts: Mapping[str, str], *, is_wrong: bool) -> _RowBoard:
    """The board of a row and the players beside it; without picture and pips where no XGID can be read."""
    player = f"{texts['player']}, {texts['away']}"
    opponent = f"{texts['opponent']}, {texts['opponent_away']}"
    try:
        state = _state_of_row(row)
        picture = _picture_of_row(row, state, is_wrong=is_wrong)
    except GammonError:
        return _RowBoard("", light=player, dark=opponent)
    asked = state.position if state.to_act is state.on_roll else state.position.flip()
    return _RowBoard(
        picture,
        light=f"{player}, {asked.pip_count} pips",
        dark=f"{opponent}, {asked.opponent_pip_count} pips",
    )


def _state_of_row(row: Mapping[str, Any]) -> MatchState:
    """Raises GammonError if there is none."""
    with warnings.catch_warnings(action="ignore"):
        return MatchState.from_xgid(row.get("xgid") or "")


def _picture_of_row(row: Mapping[str, Any], state: MatchState, *, is_wrong: bool) -> str:
    """The board with the play made, and the best one if that `is_wrong`. Raises GammonError for another board's."""
    action = row.get("action") or ""
    is_play = "/" in action  # and nothing with the cube
    best = None
    if is_wrong and state.dice:
        best = known_play(state.legal_plays, row["best"])
    return quiz_board(
        state,
        row.get("player") or "",
        row.get("opponent") or "",
        made=action if is_play else None,
        best=best,
    )
