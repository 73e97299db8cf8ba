"""A record as HTML: what is known about it, and its games and moves in two columns, with findings and comments.

It can be read without the script. Each step is a link to its position, which the script follows within the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import chain
from typing import TypeAlias

from attrs import Factory, define

from gammonrules.analysis.internals import harmless, xgid_of
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.match import MatchState, Pair, Player
from gammonrules.records.page.timeline import WHOLE_GAME, GameSteps, Step
from gammonrules.records.transcript import Evaluator, Finding, Match, Severity, dashed
from gammonrules.values import counted

Place: TypeAlias = tuple[int, int]
"""The index of a game, from 1, and the index of a step in it, from 0, or `WHOLE_GAME`."""
WHOLE_RECORD: Place = 0, WHOLE_GAME
Findings: TypeAlias = Mapping[Place, Sequence[Finding]]
"""The findings of a record, by where they are shown."""


def findings_by_place(
    findings: Iterable[Finding], games: Sequence[GameSteps]
) -> dict[Place, list[Finding]]:
    """The findings by where they are shown: at a step, at a game, or above all games."""
    games_on_page = {game.index: game for game in games}
    places: dict[Place, list[Finding]] = {}
    for finding in findings:
        game = None if finding.game is None else games_on_page.get(finding.game)
        place = WHOLE_RECORD
        if game is not None:
            place = game.index, game.step_about(finding)
        places.setdefault(place, []).append(finding)
    return places


@define
class Listing:
    names: Pair[str]
    findings: Findings
    costs: Sequence[Sequence[str]]
    """What the decisions of each step cost."""
    matrices: Mapping[Place, str]
    """The verdicts at all scores, as HTML."""
    addresses: list[str] = Factory(list[str])
    """What follows the # in the address of each step so far."""
    _xgids: set[str] = Factory(set[str])

    def game(self, game: GameSteps) -> str:
        """The heading of a game, its findings and comments, and its steps in two columns."""
        remarks = self._remarks((game.index, WHOLE_GAME), game.game.comments)
        heads = "".join([f'<th scope="col">{in_bdi(name)}</th>' for name in self.names])
        score = f'<span class="score">{dashed(game.game.score)}</span>'
        rows = "".join(self._rows(game))
        return (
            f"<section><details open><summary><h3>Game {game.game.number} {score}</h3></summary>"
            f'{remarks}<table><thead><tr><th scope="col">#</th>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table></details></section>\n"
        )

    def _rows(self, game: GameSteps) -> Iterator[str]:
        turns = 0
        for row in _in_two_columns(game.steps):
            is_of_neither = len(row) == 1
            if is_of_neither:  # such a row, as for a tie, has no number in records
                cells = ["<td></td>"]
            else:
                turns += 1
                cells = [f'<th scope="row">{turns}</th>']
            remarks = ""
            for index in row:
                if index is None:
                    cells.append("<td></td>")
                    continue
                step = game.steps[index]
                note = game.note(step)
                remarks += self._remarks((game.index, index), [note] if note else [])
                span = ' colspan="2"' if is_of_neither else ""
                cells.append(f"<td{span}>{self._link(step)}</td>")
            yield f"<tr>{''.join(cells)}</tr>"
            if remarks:
                yield f'<tr><td></td><td colspan="2">{remarks}</td></tr>'

    def _link(self, step: Step) -> str:
        costs = [f' <span class="loss">{cost}</span>' for cost in self.costs[self._next_step]]
        address = self._address(step.state)
        self.addresses.append(address)
        return f'<a href="#{escape(address)}">{escape(step.label)}</a>{"".join(costs)}'

    def _address(self, state: MatchState) -> str:
        """The address of the next step: its XGID, with a number if an earlier step has the same; or just the number."""
        xgid = xgid_of(state)
        number_from_1 = f"position={self._next_step + 1}"
        if not xgid:
            return number_from_1
        if xgid in self._xgids:
            return f"{xgid}&{number_from_1}"
        self._xgids.add(xgid)
        return xgid

    @property
    def _next_step(self) -> int:
        """The number on the page, from 0, of the step that has no address yet."""
        return len(self.addresses)

    def _remarks(self, place: Place, comments: Iterable[str]) -> str:
        """Findings, comments and matrices, which the script repeats beside the board when it shows the next step."""
        remarks = [_finding_html(finding) for finding in self.findings.get(place, ())]
        remarks += [_comment_html(comment) for comment in comments]
        remarks.append(self.matrices.get(place, ""))
        html = "".join(remarks)
        if not html:
            return ""
        return f'<div class="said" data-step="{self._next_step}">{html}</div>'


def _in_two_columns(steps: Sequence[Step]) -> Iterator[list[int | None]]:
    """The indices of the steps of each row: White's and Black's, either of which may be None, or one of neither."""
    white: int | None = None  # White's step, while its row has none of Black's yet
    for index, step in enumerate(steps):
        if step.side is Player.BLACK:
            yield [white, index]
            white = None
            continue
        if white is not None:
            yield [white, None]
            white = None
        if step.side is Player.WHITE:
            white = index
        else:
            yield [index]
    if white is not None:
        yield [white, None]


def in_bdi(text: str) -> str:
    """A text from a file as HTML, with a writing direction of its own."""
    return f"<bdi>{escape(text)}</bdi>"


def shown_name(name: str) -> str:
    return in_bdi(harmless(name, MAX_NAME_LENGTH))


def shown_evaluator(evaluator: Evaluator) -> str:
    """The words for who analyzed, and how deep."""
    words = [evaluator.engine or "an unnamed program"]
    if evaluator.level:
        words.append(str(evaluator.level))
    return ", ".join(map(shown_name, words))


def _comment_html(comment: str) -> str:
    return f'<p class="note" dir="auto">{escape(harmless(comment))}</p>'


def _finding_html(finding: Finding) -> str:
    """A finding: how much it matters, what it is about, why, and the words of the file."""
    quote = ""
    if finding.text:
        quote = f" <q>{in_bdi(harmless(finding.text))}</q>"
    line = ""
    if finding.line is not None:
        line = f" <small>(line {finding.line:,} of the file)</small>"
    severity = finding.severity
    why = escape(harmless(finding.explanation))
    return f'<p class="finding {severity}"><strong>{severity}: {finding.kind}</strong> {why}{quote}{line}</p>'


# --- the match as a whole ---------------------------------------------------------------------------------------------

_MAX_TAG_LENGTH = 200
_MAX_TAGS = 100


def kind_of_play(match: Match) -> str:
    """The words for what is played: "7 point match", "money play" or "coin game"."""
    if match.is_coin_game:
        return "coin game"
    return "money play" if match.length is None else f"{match.length} point match"


def about_match(match: Match) -> str:
    """Kind, number of games, place and date of the match, on one line."""
    words = [kind_of_play(match), counted(len(match.games), "game")]
    tags = (match.event, match.round, match.site, str(match.date or ""))
    words += [in_bdi(harmless(tag, _MAX_TAG_LENGTH)) for tag in tags if tag]
    return " · ".join(words)


def about_record(match: Match, findings: Findings, addresses: Mapping[int, Sequence[str]]) -> str:
    """A section about the whole record that can be opened: its findings, its comments, its header.

    `addresses` are those of the steps of each game, by its index from 1.
    """
    findings_of_record = findings.get(WHOLE_RECORD, ())
    html = "".join([_finding_html(finding) for finding in findings_of_record])
    html += "".join([_comment_html(comment) for comment in match.comments])
    html += _list_of_findings(findings, addresses)
    html += _list_of_tags(match.tags)
    if not html:
        return ""
    heading = "About the record"
    counts = _counts_of_findings(findings)
    if counts:
        heading += f": {counts}"
    # errors and warnings are seen without opening it
    is_open = any(finding.severity is not Severity.INFO for finding in findings_of_record)
    attribute = " open" if is_open else ""
    return f"<details{attribute}><summary>{heading}</summary>{html}</details>\n"


def _list_of_findings(findings: Findings, addresses: Mapping[int, Sequence[str]]) -> str:
    """The findings about games and their steps, as links to where they are shown."""
    items: list[str] = []
    for place in sorted(findings.keys() - {WHOLE_RECORD}):
        game, step = place
        shown_step = 0 if step == WHOLE_GAME else step  # a game begins with its first step
        address = escape(addresses[game][shown_step])
        for finding in findings[place]:
            words = f"Game {game}: {finding.severity}: {finding.kind}"
            items.append(f'<li><a href="#{address}">{words}</a></li>')
    return f"<ul>{''.join(items)}</ul>" if items else ""


def _list_of_tags(tags: Sequence[tuple[str, str]]) -> str:
    items: list[str] = []
    for name, value in tags[:_MAX_TAGS]:
        term = in_bdi(harmless(name, _MAX_TAG_LENGTH))
        items.append(f"<dt>{term}</dt><dd>{in_bdi(harmless(value, _MAX_TAG_LENGTH))}</dd>")
    return f"<dl>{''.join(items)}</dl>" if items else ""


def _counts_of_findings(findings: Findings) -> str:
    """How many errors and warnings there are, in words."""
    numbers = Counter(finding.severity for finding in chain.from_iterable(findings.values()))
    grave = [severity for severity in (Severity.ERROR, Severity.WARNING) if numbers[severity]]
    return ", ".join([counted(numbers[severity], severity) for severity in grave])
