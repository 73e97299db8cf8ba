"""Questions of a page: their boards, the answers as buttons that tell what they cost, and the script that asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Final

import attrs
from attrs import frozen

from gammonrules.analysis import CubeAnalysis, PlayAnalysis
from gammonrules.analysis.internals import FEW_PLAYS, candidates_shown, harmless
from gammonrules.draw import BoardStyle, svg
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.match import Action, MatchState, Player
from gammonrules.records.page.template import filled, part
from gammonrules.records.transcript import Decision, DecisionKind

CUBE_CHOICES: Final[Mapping[str, Mapping[str, Action]]] = {
    DecisionKind.DOUBLE: {"Double": Action.DOUBLE, "No double": Action.ROLL},
    DecisionKind.ANSWER: {"Take": Action.TAKE, "Drop": Action.DROP},
}
"""What can be answered about the cube, by what was decided."""
PAGE_STYLE: Final = BoardStyle(theme="auto", header=False, footer=False)
"""For a board next to which the page shows the rest."""
_QUIZ_STYLE: Final = attrs.evolve(PAGE_STYLE, numbers="fixed")
"""The player who answers a double is not on roll."""
_UNSAID: Final = {"arrows": "", "made": ""}
"""The description of a board does not give the answer away."""


@frozen
class Alternative:
    words: str
    cost: float | None
    """None if it is only known not to be best."""

    def html(self) -> str:
        cost = "" if self.cost is None else f"{self.cost:.3f}"
        words = escape(harmless(self.words, MAX_NAME_LENGTH))
        return f'<button type="button" data-cost="{cost}">{words}</button>'


def quiz(*, starts: bool = False) -> str:
    """The HTML in which a page asks its questions, at once if it `starts` so."""
    return filled(part("quiz.html"), {"starts": " data-starts" if starts else ""})


def quiz_board(
    state: MatchState, asked: str, opponent: str, *, made: str | None, best: str | None
) -> str:
    """The board as the player who is asked sees it: with the light checkers, at the bottom.

    Arrows show the best play and the one that was made, as far as they are given. Raises GammonError for the plays of
    another board.
    """
    return svg.match_state(
        state.swap_players() if state.to_act is Player.BLACK else state,
        names=(asked, opponent),
        arrows=best or made,
        made=made,
        labels=_UNSAID,
        style=_QUIZ_STYLE,
    )


def choice_buttons(choices: Iterable[Alternative]) -> str:
    """Buttons of two or more answers, which the script shows; "" where there is nothing to choose."""
    buttons = [choice.html() for choice in choices]
    if len(buttons) < 2:
        return ""
    return f'<div class="choices" hidden>{"".join(buttons)}<p role="status"></p></div>\n'


def choices_of(decision: Decision) -> list[Alternative]:
    """The choices in a decision: the best plays and the one that was made, or the two actions with the cube."""
    analysis = decision.analysis
    if isinstance(analysis, PlayAnalysis):
        return in_order_of_words(_candidate_choices(analysis))
    choices: list[Alternative] = []
    if isinstance(analysis, CubeAnalysis):
        made = decision.event.action
        for words, action in CUBE_CHOICES.get(decision.kind, {}).items():
            choices.append(Alternative(words, _cost_of_action(action, made, analysis)))
    return choices


def in_order_of_words(choices: Iterable[Alternative]) -> list[Alternative]:
    """The order of plays tells nothing about them."""
    return sorted(choices, key=lambda choice: choice.words)


def _candidate_choices(analysis: PlayAnalysis) -> list[Alternative]:
    best_equity = analysis.best.equity if analysis.best else None
    choices: list[Alternative] = []
    for index, candidate in candidates_shown(analysis, FEW_PLAYS - 1):
        cost: float | None = None
        if best_equity is not None and candidate.equity is not None:
            cost = max(0.0, best_equity - candidate.equity)
        elif index == analysis.played:
            cost = analysis.error  # a record can state it without equities
        choices.append(Alternative(candidate.play, cost))
    return choices


def _cost_of_action(action: Action, made: Action, analysis: CubeAnalysis) -> float | None:
    """The cost of an answer about the cube; None if the engine does not say."""
    # without equities, a record can still state the error of what was done, and of nothing else
    has_equities = analysis.equity_of_best(action) is not None
    if action is not made and not has_equities:
        return None
    return analysis.error_of(action)
