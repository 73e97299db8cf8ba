"""The page: one HTML document with the list, the pictures and the analyses, which needs nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import accumulate
from typing import TypeAlias, cast

from attrs import frozen

from gammonrules.draw import board_js, svg
from gammonrules.limits import LONGEST_NAME
from gammonrules.match import Action, MatchState, Pair, Player
from gammonrules.records.page.frame import document, filled, part
from gammonrules.records.page.listing import (
    Findings,
    Listing,
    Place,
    about,
    about_record,
    findings_by_place,
    in_bdi,
    kind_of_play,
)
from gammonrules.records.page.pictures import Pictures, Plain
from gammonrules.records.page.steps import Analyzed, GameSteps, Step, steps_of
from gammonrules.records.page.study import NO_STUDY, Study
from gammonrules.records.transcript import (
    CUBE_ANSWERS,
    LEAST_SEEN,
    Analysis,
    CubeAnalysis,
    Match,
    PlayAnalysis,
    candidates_shown,
    dashed,
    harmless,
    panel,
    referee,
    signed,
)

_FOLDED = '<details class="matrix"><summary>At all scores</summary>{}</details>'
Matrices: TypeAlias = Mapping[tuple[int, int], object]
"""What `svg.matrix` draws, by the number of a game and the index of an event."""


def page_of(
    match: Match, *, bottom: Player, candidates: int, most: int, matrices: Matrices, again: str = ""
) -> str:
    """The page of a match, with no more than `most` positions."""
    printed = (" ".join(harmless(name, LONGEST_NAME).split()) for name in match.players)
    names = Pair(name or player.title() for name, player in zip(printed, Player, strict=True))
    games = tuple(_steps_of_games(match, most))
    findings = findings_by_place(referee(match), games)
    rest = [steps_of(game, 0, 0) for game in match.games[len(games) :]]
    study = Study.of(names, games, rest, again)
    drawn = _drawn_matrices(games, matrices)
    return _Page(
        match, bottom, candidates, most, names, games, findings, study, matrices=drawn, again=again
    ).html()


def _drawn_matrices(games: Iterable[GameSteps], matrices: Matrices) -> dict[Place, str]:
    """The verdicts at all scores, by where they are shown."""
    drawn = dict[Place, str]()
    for game in games:
        for at, step in enumerate(game.steps):
            asked = [
                matrices[key]
                for index in step.events
                if (key := (game.game.number, index)) in matrices
            ]
            pictures = (
                svg.matrix(cast("svg.MatrixLike", matrix), theme="auto") for matrix in asked
            )
            drawn[game.index, at] = "".join(map(_FOLDED.format, pictures))
    return drawn


def _steps_of_games(match: Match, most: int) -> Iterator[GameSteps]:
    """The games with the first `most` steps of the match."""
    for index, game in enumerate(match.games, start=1):
        if most <= 0:
            return
        steps = steps_of(game, index, most)
        most -= len(steps.steps)
        yield steps


@frozen
class _Page:
    match: Match
    bottom: Player
    candidates: int
    """How many plays of an analysis are listed."""
    most: int
    """The positions that a page can have."""
    names: Pair[str]
    games: tuple[GameSteps, ...]
    findings: Findings
    study: Study | None
    """None without a decision that has an analysis."""
    matrices: Mapping[Place, str]
    again: str
    """The beginning of an address at which a game goes on, or nothing."""

    def html(self) -> str:
        is_analyzed = any(
            any((game.game.pending_analysis, *game.game.analyses)) for game in self.games
        )
        script = board_js() + part("page.js") + part("study.js") * bool(self.study)
        parts = "base.css", "page.css", *(("charts.css", "study.css") * is_analyzed)
        style = f"{''.join(map(part, parts))}{svg.stylesheet()}"
        data, costs = self._data()
        listing = Listing(self.names, self.findings, costs, self.matrices)
        moves = "".join(map(listing.game, self.games))
        study = self.study.html(listing.addresses) if self.study else dict.fromkeys(NO_STUDY, "")
        score = dashed(self.match.score, self.match.length)
        named = [*map(in_bdi, self.names)]
        rated = self.study.prs if self.study else ("", "")
        pieces = {
            "heading": f" {score} ".join(map("<span>{}{}</span>".format, named, rated)),
            "about": about(self.match),
            "record": about_record(self.match, self.findings, self._addresses(listing.addresses)),
            "white": named[0],
            "black": named[1],
            "flipped": ' class="flipped"' if self.bottom is Player.BLACK else "",
            "rates": "" if is_analyzed else part("not-yet.html" if self.again else "analyze.html"),
            "game": f' · <a href="{escape(self.again)}">To the game</a>' * bool(self.again),
            "analyzed": ' class="analyzed"' if is_analyzed else "",
            "board": self._board(),
            "moves": moves + self._end(),
            # in a script element, which it cannot end, nor open a comment there, since it has no "<"
            "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace(
                "<", "\\u003c"
            ),
            "script": script,
        }
        title = escape(f"{self.names[0]} \N{EN DASH} {self.names[1]}, {kind_of_play(self.match)}")
        return document(title, style, filled(part("page.html"), pieces | study), script=script)

    def _addresses(self, addresses: Sequence[str]) -> dict[int, Sequence[str]]:
        """Those of the steps of each game, by its index from 1."""
        firsts = accumulate((len(game.steps) for game in self.games), initial=0)
        return {
            game.index: addresses[at : at + len(game.steps)]
            for game, at in zip(self.games, firsts, strict=False)
        }

    def _board(self) -> str:
        new = MatchState.new(self.match.length, rules=self.match.rules)
        step = self.games[0].steps[0] if self.games else Step(new, "", is_last=True)
        sides = svg.OnPage(step.state, self.names, step.last_play).both_sides(arrows=step.play)
        return "\n".join(Pair(sides)[self.bottom])

    def _data(self) -> tuple[dict[str, Plain], list[list[str]]]:
        """What the script needs, and what the decisions of each step cost."""
        pictures = Pictures()
        steps = list[Plain]()
        costs = list[list[str]]()
        for game in self.games:
            for step in game.steps:
                analyses = [*game.analyses(step)]
                steps.append(self._step(game, step, analyses, pictures))
                costs.append([*_cost_words(analyses)])
        data: dict[str, Plain] = {
            "names": [*self.names],
            "games": [
                [f"Game {it.game.number}", svg.OnPage(it.steps[0].state, self.names).kind]
                for it in self.games
            ],
            "steps": steps,
            "blocks": pictures.blocks.stored,
            "lines": pictures.lines.stored,
            "words": pictures.words.stored,
        }
        if self.study:
            data["questions"] = self.study.questions(pictures)
            if mistakes := self.study.mistakes:  # where the page begins
                data["worst"] = max(mistakes, key=lambda mistake: mistake.cost).number
        return data, costs

    def _step(
        self, game: GameSteps, step: Step, analyses: Sequence[Analyzed], pictures: Pictures
    ) -> Plain:
        state = step.state
        drawn = svg.OnPage(state, self.names, step.last_play)
        pips = state.position.pip_count, state.position.opponent_pip_count
        data: dict[str, Plain] = {
            "game": game.index - 1,
            "side": None if step.side is None else step.side.value,
            "score": [min(points, state.length or points) for points in state.score],
            "pips": [*(pips if state.on_roll is not Player.BLACK else pips[::-1])],
            "pictures": [*map(pictures.add, drawn.both_sides(arrows=step.play))],
        }
        if analyses:  # that of the play is above that of the cube before it
            data["said"] = [
                self._panel(*analyzed, drawn, pictures) for analyzed in reversed(analyses)
            ]
        return data

    def _panel(
        self, analysis: Analysis, action: Action | None, drawn: svg.OnPage, pictures: Pictures
    ) -> Plain:
        table = panel(analysis, action, self.candidates)
        data: dict[str, Plain] = {
            "title": table.title,
            "head": [*table.head],
            "rows": [[*row] for row in table.rows],
            "done": [*table.chosen],
            "said": [*table.remarks],
        }
        if (cost := _cost(analysis, action)) is not None:
            data["cost"] = f"{cost:.3f}"
        if isinstance(analysis, PlayAnalysis):
            plays = [candidate.play for _, candidate in candidates_shown(analysis, self.candidates)]
            made = next((plays[at] for at in table.chosen if "cost" in data), None)
            # White at the bottom
            data["arrows"] = [pictures.lines_of(arrows) for arrows in drawn.arrows(plays, made)]
        return data

    def _end(self) -> str:
        """A sentence about games or positions that the page leaves out."""
        if len(self.games) == len(self.match.games) and (
            not self.games or self.games[-1].steps[-1].is_last
        ):
            return ""
        return f"<p>The record goes on. This page has its first {self.most:,} positions.</p>"


def _cost_words(analyses: Iterable[Analyzed]) -> Iterator[str]:
    """What each decision of a step cost, if that can be seen."""
    for analysis, action in analyses:
        if (cost := _cost(analysis, action)) is not None:
            is_double = isinstance(analysis, CubeAnalysis) and action not in CUBE_ANSWERS
            yield f"{'cube ' if is_double else ''}{signed(-cost)}"


def _cost(analysis: Analysis, action: Action | None) -> float | None:
    """What a decision cost; None if nothing of it can be seen in three decimals."""
    if action is None:
        return None
    cost = analysis.error if isinstance(analysis, PlayAnalysis) else analysis.error_of(action)
    return cost if cost is not None and cost >= LEAST_SEEN else None
