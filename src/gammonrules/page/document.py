"""The page: one HTML document with the list, the pictures and the analyses, which needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate

import attrs
from attrs import frozen

from gammonrules.draw import board_js, svg
from gammonrules.match import MatchState, Pair, Player
from gammonrules.page.listing import Listing, about, kind_of, record
from gammonrules.page.pictures import Pictures, Plain
from gammonrules.page.places import Places, places_of
from gammonrules.page.steps import GameSteps, Step, steps_of
from gammonrules.transcript import (
    Analysis,
    Analyzed,
    CubeAnalysis,
    Finding,
    Game,
    Match,
    costs_of,
    html,
    isolated,
    listed,
    panel,
    printed_name,
    referee,
)


def page_of(match: Match, *, bottom: Player, candidates: int, most: int) -> str:
    """The page of a match, with no more than `most` positions."""
    names = Pair(printed_name(name, player.title()) for name, player in zip(match.players, Player, strict=True))
    games, findings = tuple(_games(match, most)), referee(match)
    places = places_of(findings, games)
    return _Page(match, bottom, candidates, most, names, games, findings, places).html()


def _games(match: Match, most: int) -> Iterator[GameSteps]:
    """The steps of the games, at most this many."""
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
    findings: tuple[Finding, ...]
    places: Places

    def html(self) -> str:
        """The document."""
        data, costs = self._data()
        listing = Listing(self.names, self.places, costs)
        listed = "".join(map(listing.game, self.games))
        pieces = {
            "policy": _policy(),
            "title": html(f"{self.names[0]} \N{EN DASH} {self.names[1]}, {kind_of(self.match)}"),
            "style": _style(),
            "heading": " \N{EN DASH} ".join(map(isolated, self.names)),
            "about": about(self.match),
            "record": record(self.match, self.findings, self.places, self._links(listing.addresses.links)),
            "white": isolated(self.names[0]),
            "black": isolated(self.names[1]),
            "flipped": ' class="flipped"' if self.bottom is Player.BLACK else "",
            "analyzed": ' class="analyzed"' if any(_is_analyzed(game.game) for game in self.games) else "",
            "board": self._board(),
            "moves": listed + self._end(),
            "data": _json(data),
            "script": _script(),
        }
        return _filled(_part("page.html"), pieces)

    def _links(self, links: Sequence[str]) -> dict[int, Sequence[str]]:
        """The addresses of the steps of each game, by its index from 1."""
        ends = accumulate((len(game.steps) for game in self.games), initial=0)
        return {game.index: links[end : end + len(game.steps)] for game, end in zip(self.games, ends, strict=False)}

    def _board(self) -> str:
        new = MatchState.new(self.match.length, rules=self.match.rules)
        step = self.games[0].steps[0] if self.games else Step(new, "", is_last=True)
        sides = svg.OnPage(step.state, self.names, step.last_play).both_sides(arrows=step.play)
        return "\n".join(Pair(sides)[self.bottom])

    def _data(self) -> tuple[dict[str, Plain], list[list[str]]]:
        """What the script needs, and what the decisions of each step cost."""
        pictures, steps, costs = Pictures(), list[Plain](), list[list[str]]()
        for game in self.games:
            for step in game.steps:
                analyses = [*game.analyses(step)]
                steps.append(self._step(game, step, analyses, pictures))
                costs.append([*costs_of(analyses)])
        data: dict[str, Plain] = {
            "names": [*self.names],
            "games": [[f"Game {game.game.number}", self._kind(game)] for game in self.games],
            "steps": steps,
            "blocks": pictures.blocks.stored,
            "lines": pictures.lines.stored,
            "words": pictures.words.stored,
        }
        return data, costs

    def _kind(self, game: GameSteps) -> str:
        return svg.OnPage(game.steps[0].state, self.names).kind

    def _step(self, game: GameSteps, step: Step, analyses: Sequence[Analyzed], pictures: Pictures) -> Plain:
        state = step.state
        drawn = svg.OnPage(state, self.names, step.last_play)
        pips = state.position.pip_count, state.position.opponent_pip_count
        shown: dict[str, Plain] = {
            "game": game.index - 1,
            "side": None if step.side is None else step.side.value,
            "score": [*state.score],
            "pips": [*(pips if state.on_roll is not Player.BLACK else pips[::-1])],
            "pictures": [*map(pictures.add, drawn.both_sides(arrows=step.play))],
        }
        said: list[Plain] = [
            attrs.asdict(panel(analysis, action, self.candidates), recurse=False)
            | self._arrows(analysis, drawn, pictures)
            for analysis, action in reversed(analyses)  # that of the play is above that of the cube before it
        ]
        if said:
            shown["said"] = said
        return shown

    def _arrows(self, analysis: Analysis, drawn: svg.OnPage, pictures: Pictures) -> dict[str, Plain]:
        """The arrows of each candidate in the list, with White at the bottom."""
        if isinstance(analysis, CubeAnalysis):
            return {}
        plays = (candidate.play for candidate, _ in listed(analysis, self.candidates))
        return {"arrows": [pictures.lines_of(arrows) for arrows in drawn.arrows(plays)]}

    def _end(self) -> str:
        """A sentence about games or positions that the page leaves out."""
        if len(self.games) == len(self.match.games) and (not self.games or self.games[-1].steps[-1].is_last):
            return ""
        return f"<p>The record goes on. This page has its first {self.most:,} positions.</p>"


def _is_analyzed(game: Game) -> bool:
    return game.pending_analysis is not None or any(found is not None for found in game.analyses)


# --- the parts of the page ------------------------------------------------------------------------------------------


@cache
def _part(name: str) -> str:
    return files("gammonrules.page").joinpath(name).read_text(encoding="utf-8")


@cache
def _script() -> str:
    return board_js() + _part("page.js")


@cache
def _style() -> str:
    return f"{_part('page.css')}{svg.stylesheet()}"


@cache
def _policy() -> str:
    """A browser runs only this script and style, loads nothing, and sends nothing anywhere."""
    script, style = (
        base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (_script(), _style())
    )
    allowed = f"script-src 'sha256-{script}'; style-src 'sha256-{style}'; img-src data:"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _filled(page: str, pieces: dict[str, str]) -> str:
    """The page with its pieces in place of their names. Text of a piece that looks like a name stays as it is."""
    parts = page.split("%%")
    return "".join(pieces[part] if index % 2 else part for index, part in enumerate(parts))


def _json(data: dict[str, Plain]) -> str:
    """JSON for a script element: it has no "<", so it can neither end the element nor open a comment."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
