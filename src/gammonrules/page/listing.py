"""A record as HTML: what is known about it, and its games and moves in two columns, with findings and comments.

It can be read without the script. Each step is a link to its position, which the script follows within the page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import Factory, define

from gammonrules.errors import IdentifierError
from gammonrules.match import MatchState, Pair, Player
from gammonrules.page.places import Places
from gammonrules.page.steps import GameSteps, Step
from gammonrules.transcript import Finding, Match, Severity, dashed, harmless, html, isolated
from gammonrules.values import counted


@define
class Addresses:
    """What follows the # in the address of each step: its XGID; a later step with the same one adds a number."""

    links: list[str] = Factory(list[str])
    _taken: set[str] = Factory(set[str])

    def add(self, state: MatchState) -> str:
        """The address of the next step."""
        try:
            xgid = state.to_xgid()
        except IdentifierError:  # a score too high for an XGID
            xgid = ""
        link = xgid
        if not xgid or xgid in self._taken:
            link = f"{xgid}&position={len(self.links) + 1}".lstrip("&")
        self._taken.add(xgid)
        self.links.append(link)
        return link


@define
class Listing:
    """Makes the list of all games."""

    names: Pair[str]
    places: Places
    costs: Sequence[Sequence[str]]
    """What the decisions of each step cost."""
    addresses: Addresses = Factory(Addresses)

    def game(self, game: GameSteps) -> str:
        """The heading of a game, what there is to say about it, and its steps in two columns."""
        findings, comments = self.places.games.get(game.index, ()), game.game.comments
        about = _said(len(self.addresses.links), [*map(finding_html, findings), *map(comment_html, comments)])
        heads = "".join(f'<th scope="col">{isolated(name)}</th>' for name in self.names)
        score = f'<span class="score">{dashed(game.game.score)}</span>'
        return (
            f"<section><h3>Game {game.game.number} {score}</h3>{about}"
            f'<table><thead><tr><th scope="col"><abbr title="Row">#</abbr></th>{heads}</tr></thead>'
            f"<tbody>{''.join(self._rows(game))}</tbody></table></section>\n"
        )

    def _rows(self, game: GameSteps) -> Iterator[str]:
        for number, row in enumerate(_in_two_columns(game.steps), start=1):
            cells: list[str] = []
            about: list[str] = []
            for at in row:
                if at is None:
                    cells.append("<td></td>")
                    continue
                about.append(self._about(game, at))
                span = ' colspan="2"' if game.steps[at].side is None else ""
                cells.append(f"<td{span}>{self._link(game.steps[at])}</td>")
            yield f'<tr><th scope="row">{number}</th>{"".join(cells)}</tr>'
            if any(about):
                yield f'<tr><td></td><td colspan="2">{"".join(about)}</td></tr>'

    def _link(self, step: Step) -> str:
        costs = "".join(f' <span class="loss">{cost}</span>' for cost in self.costs[len(self.addresses.links)])
        return f'<a href="#{html(self.addresses.add(step.state))}">{html(step.label)}</a>{costs}'

    def _about(self, game: GameSteps, at: int) -> str:
        """The findings and remarks about the next step."""
        note = game.note(game.steps[at])
        findings = self.places.steps.get((game.index, at), ())
        said = [*map(finding_html, findings), *([comment_html(note)] if note else [])]
        return _said(len(self.addresses.links), said)


def _said(step: int, parts: Sequence[str]) -> str:
    """The part that the script repeats beside the board when it shows this step."""
    return f'<div class="said" data-step="{step}">{"".join(parts)}</div>' if parts else ""


def _in_two_columns(steps: Sequence[Step]) -> Iterator[list[int | None]]:
    """The indices of the steps of each row: White's and Black's, or one that belongs to neither."""
    row: list[int | None] = []
    for at, step in enumerate(steps):
        if step.side is None:
            if row:
                yield [*row, None][:2]
            yield [at]
            row = []
        elif step.side is Player.WHITE:
            if row:
                yield [*row, None][:2]
            row = [at]
        else:
            yield [*(row or [None]), at]
            row = []
    if row:
        yield [*row, None]


def comment_html(comment: str) -> str:
    """A comment or a note."""
    return f'<p class="note" dir="auto">{html(harmless(comment))}</p>'


def finding_html(finding: Finding) -> str:
    """A finding: how much it matters, what it is about, why, and the words of the file."""
    quote = f" <q>{isolated(harmless(finding.text))}</q>" if finding.text else ""
    line = f" <small>(line {finding.line:,} of the file)</small>" if finding.line is not None else ""
    severity, kind = finding.severity.value, finding.kind.value
    said = html(harmless(finding.explanation))
    return f'<p class="finding {severity}"><strong>{severity}: {kind}</strong> {said}{quote}{line}</p>'


# --- the match as a whole ---------------------------------------------------------------------------------------------

_LONGEST_TAG = 200
_MOST_TAGS = 100


def kind_of(match: Match) -> str:
    """The kind of match."""
    if match.is_coin_game:
        return "coin game"
    return "money play" if match.length is None else f"{match.length} point match"


def about(match: Match) -> str:
    """What is known about the match, on one line."""
    when = [str(match.date)] if match.date is not None else []
    where = [isolated(harmless(said, _LONGEST_TAG)) for said in (match.event, match.round, match.site) if said]
    known = [kind_of(match), counted(len(match.games), "game"), dashed(match.score), *where, *when]
    return " · ".join(known)


def record(match: Match, findings: Sequence[Finding], places: Places, links: Mapping[int, Sequence[str]]) -> str:
    """A section about the whole record that can be opened: its findings, its comments, its header.

    `links` are the addresses of the steps of each game, by its index from 1.
    """
    said = [*map(finding_html, places.record), *map(comment_html, match.comments)]
    placed = "".join(
        f'<li><a href="#{html(links[game][at])}">{html(f"Game {game}: {finding.severity}: {finding.kind}")}</a></li>'
        for game, at, finding in _placed(places)
    )
    found = f"<ul>{placed}</ul>" if placed else ""
    tags = _tags(match)
    if not (said or found or tags):
        return ""
    is_open = any(finding.severity is not Severity.INFO for finding in places.record)
    summary = f"<summary>About the record: {_counts(findings)}</summary>"
    return f"<details{' open' if is_open else ''}>{summary}{''.join(said)}{found}{tags}</details>\n"


def _placed(places: Places) -> Iterator[tuple[int, int, Finding]]:
    """The findings in the list, in its order, each with its game and step."""
    of_games = [(game, 0, found) for game, listed in places.games.items() for found in listed]
    of_steps = [(game, at, found) for (game, at), listed in places.steps.items() for found in listed]
    yield from sorted(of_games + of_steps, key=lambda placed: placed[:2])


def _counts(findings: Sequence[Finding]) -> str:
    """How many findings there are of each severity."""
    numbers = Counter(finding.severity for finding in findings)
    words = [
        f"{numbers[severity]} info" if severity is Severity.INFO else counted(numbers[severity], severity)
        for severity in Severity
        if numbers[severity]
    ]
    return ", ".join(words) or "no findings"


def _tags(match: Match) -> str:
    tags = "".join(
        f"<dt>{isolated(harmless(name, _LONGEST_TAG))}</dt><dd>{isolated(harmless(value, _LONGEST_TAG))}</dd>"
        for name, value in match.tags[:_MOST_TAGS]
    )
    return f"<dl>{tags}</dl>" if tags else ""
