"""The page: one HTML document with the list, the pictures and the analyses, which needs nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from typing import Any, TypeAlias

from attrs import frozen

from gammonrules.analysis import CubeAnalysis, PlayAnalysis
from gammonrules.analysis.internals import (
    CUBE_ANSWERS,
    MIN_SEEN,
    candidates_shown,
    harmless,
    panel,
    signed,
)
from gammonrules.draw import BoardStyle, board_js, svg
from gammonrules.draw.internals import kind_of_game
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.match import MatchState, Pair, Player
from gammonrules.records.page.move_list import (
    Findings,
    Listing,
    Place,
    about_match,
    about_record,
    findings_by_place,
    in_bdi,
    kind_of_play,
)
from gammonrules.records.page.review import NO_REVIEW, Review
from gammonrules.records.page.shared_images import Pictures, Plain
from gammonrules.records.page.template import document, filled, part
from gammonrules.records.page.timeline import Analyzed, GameSteps, Step, steps_of
from gammonrules.records.transcript import Match, dashed, referee

_MATRIX_STYLE = BoardStyle(theme="auto")
_FOLDED = '<details class="matrix"><summary>At all scores</summary>{}</details>'
Matrices: TypeAlias = Mapping[tuple[int, int], Any]
"""What `svg.matrix` draws, by the number of a game and the index of an event."""


def page_of(
    match: Match,
    *,
    bottom: Player,
    candidates: int,
    limit: int,
    matrices: Matrices,
    play_url_prefix: str = "",
    links: str = "",
    command: str = "",
    asked: Player | None = None,
) -> str:
    """The page of a match, with no more than `limit` positions, and links to where games can be played on, if there.

    `links`: to other pages; `command`: of whom it is a page, which that one replaces; `asked`: whose mistakes it asks
    about, of both if None.
    """
    names = _printed_names(match)
    games = tuple(_steps_of_games(match, limit))
    # games beyond the last position count in the error rates, but have no place on the page
    games_left_out = [steps_of(game, index=0, limit=0) for game in match.games[len(games) :]]
    page = _Page(
        match=match,
        bottom=bottom,
        candidates=candidates,
        limit=limit,
        names=names,
        games=games,
        boards=svg.PageBoards(names),
        findings=findings_by_place(referee(match), games),
        review=Review.of(names, games, games_left_out, play_url_prefix),
        matrices=_drawn_matrices(games, matrices),
        play_url_prefix=play_url_prefix,
        links=links,
        command=command,
        asked=asked,
    )
    return page.html()


def _printed_names(match: Match) -> Pair[str]:
    """The names as they are printed, on one line; the colors where there are none."""
    names: list[str] = []
    for name, player in zip(match.players, Player, strict=True):
        printed = " ".join(harmless(name, MAX_NAME_LENGTH).split())
        names.append(printed or player.title())
    return Pair(names)


def _drawn_matrices(games: Iterable[GameSteps], matrices: Matrices) -> dict[Place, str]:
    """The verdicts at all scores, by where they are shown."""
    drawn: dict[Place, str] = {}
    for game in games:
        # a file can give a game another number than its place in the record
        number_in_file = game.game.number
        for index_of_step, step in enumerate(game.steps):
            pictures = ""
            for event in step.events:
                key = number_in_file, event
                if key in matrices:
                    pictures += _FOLDED.format(svg.matrix(matrices[key], style=_MATRIX_STYLE))
            drawn[game.index, index_of_step] = pictures
    return drawn


def _steps_of_games(match: Match, limit: int) -> Iterator[GameSteps]:
    """The games with the first `limit` steps of the match."""
    steps_left = limit
    for index, game in enumerate(match.games, start=1):
        if steps_left <= 0:
            return
        game_steps = steps_of(game, index, limit=steps_left)
        steps_left -= len(game_steps.steps)
        yield game_steps


@frozen
class _Page:
    match: Match
    bottom: Player
    candidates: int
    """How many plays of an analysis are listed."""
    limit: int
    """The positions that a page can have."""
    names: Pair[str]
    games: tuple[GameSteps, ...]
    boards: svg.PageBoards
    findings: Findings
    review: Review | None
    """None without a decision that has an analysis."""
    matrices: Mapping[Place, str]
    play_url_prefix: str
    """The beginning of an address at which a game goes on, or nothing."""
    links: str
    """To other pages."""
    command: str
    """Of whom it is a page, or nothing."""
    asked: Player | None
    """Whose mistakes it asks about; None for both."""

    def html(self) -> str:
        style = part("base.css") + part("match_page.css")
        if self._is_analyzed:
            style += part("charts.css") + part("review.css")
        style += svg.stylesheet()
        script = board_js() + part("match_page.js")
        if self.review:
            script += part("review.js")
        body = filled(part("match_page.html"), self._pieces() | {"script": script})
        white, black = self.names
        title = escape(f"{white} \N{EN DASH} {black}, {kind_of_play(self.match)}")
        return document(title, style, body, script=script, command=self.command)

    def _pieces(self) -> dict[str, str]:
        """The HTML to fill in at each name in `match_page.html`, except the script."""
        data, costs = self._data()
        listing = Listing(self.names, self.findings, costs, self.matrices)
        # the list of moves gives each step its address, so it comes before all that leads to steps
        moves = "".join([listing.game(game) for game in self.games])
        link_to_game = ""
        if self.play_url_prefix:
            link_to_game = f' · <a href="{escape(self.play_url_prefix)}">To the game</a>'
        instead_of_rates = ""
        if not self._is_analyzed:
            instead_of_rates = part("not-yet.html" if self.play_url_prefix else "analyze.html")
        pieces = {
            "links": self.links,
            "heading": self._heading(),
            "about": about_match(self.match),
            "record": about_record(self.match, self.findings, self._addresses(listing.addresses)),
            "white": in_bdi(self.names[Player.WHITE]),
            "black": in_bdi(self.names[Player.BLACK]),
            "flipped": ' class="flipped"' if self.bottom is Player.BLACK else "",
            "rates": instead_of_rates,
            "game": link_to_game,
            "analyzed": ' class="analyzed"' if self._is_analyzed else "",
            "board": self._board(),
            "moves": moves + self._end(),
            "data": _in_script(data),
        }
        if self.review:
            return pieces | self.review.html(listing.addresses)
        return pieces | dict.fromkeys(NO_REVIEW, "")

    @cached_property
    def _is_analyzed(self) -> bool:
        """Whether a game on the page has an analysis."""
        analyses: list[object] = []
        for steps in self.games:
            analyses += [*steps.game.analyses, steps.game.pending_analysis]
        return any(analyses)

    def _heading(self) -> str:
        """The names with the PRs, and the score between them."""
        white, black = self.names
        pr_of_white, pr_of_black = self.review.prs if self.review else ("", "")
        score = dashed(self.match.score, self.match.length)
        return (
            f"<span>{in_bdi(white)}{pr_of_white}</span> {score} "
            f"<span>{in_bdi(black)}{pr_of_black}</span>"
        )

    def _addresses(self, of_all_steps: Sequence[str]) -> dict[int, Sequence[str]]:
        """The addresses of the steps of each game, by the index of the game, from 1."""
        by_game: dict[int, Sequence[str]] = {}
        first = 0
        for game in self.games:
            end = first + len(game.steps)
            by_game[game.index] = of_all_steps[first:end]
            first = end
        return by_game

    def _board(self) -> str:
        """The first picture: of a record without games, the board before the first game."""
        if self.games:
            step = self.games[0].steps[0]
        else:
            new_match = MatchState.new(self.match.length, rules=self.match.rules)
            step = Step(new_match, label="", is_last=True)
        board = self.boards.board(step.state, step.last_play)
        white_at_bottom, black_at_bottom = board.both_sides(step.play)
        return "\n".join(white_at_bottom if self.bottom is Player.WHITE else black_at_bottom)

    def _data(self) -> tuple[dict[str, Plain], list[list[str]]]:
        """The data for the script, and the costs of the decisions of each step, in words."""
        pictures = Pictures()
        games: list[Plain] = []
        steps: list[Plain] = []
        costs: list[list[str]] = []
        for game in self.games:
            kind = kind_of_game(game.steps[0].state)
            games.append([f"Game {game.game.number}", kind])
            for step in game.steps:
                analyses = [*game.analyses(step)]
                steps.append(self._step(game, step, analyses, pictures))
                costs.append(_cost_words(analyses))
        data: dict[str, Plain] = {
            "names": [*self.names],
            "games": games,
            "steps": steps,
            "blocks": pictures.blocks.stored,
            "lines": pictures.lines.stored,
            "words": pictures.words.stored,
        }
        if self.review:
            data["questions"] = self.review.questions(self.boards, pictures)
            worst = self.review.worst_of(self.asked)
            if worst is not None:
                data["worst"] = worst.number  # the page begins with this step
            if self.asked is not None:
                data["asked"] = self.asked.value
        return data, costs

    def _step(
        self, game: GameSteps, step: Step, analyses: Sequence[Analyzed], pictures: Pictures
    ) -> Plain:
        state = step.state
        board = self.boards.board(state, step.last_play)
        white_at_bottom, black_at_bottom = board.both_sides(step.play)
        # the script has White's pips before Black's; a position has those of the player on roll first
        pips: list[Plain] = [state.position.pip_count, state.position.opponent_pip_count]
        if state.on_roll is Player.BLACK:
            pips.reverse()
        score = [*state.score]
        if state.length is not None:  # the last game can bring more points than are needed
            score = [min(points, state.length) for points in score]
        place_in_games = game.index - 1  # the script counts from 0
        data: dict[str, Plain] = {
            "game": place_in_games,
            "side": None if step.side is None else step.side.value,
            "score": score,
            "pips": pips,
            "pictures": [pictures.add(white_at_bottom), pictures.add(black_at_bottom)],
        }
        if analyses:  # the play is shown above the cube decision, which came first
            data["said"] = [
                self._panel(analyzed, board, pictures) for analyzed in reversed(analyses)
            ]
        return data

    def _panel(self, analyzed: Analyzed, board: svg.PageBoard, pictures: Pictures) -> Plain:
        analysis = analyzed.analysis
        table = panel(analysis, analyzed.action, self.candidates)
        data: dict[str, Plain] = {
            "title": table.title,
            "head": [*table.head],
            "rows": [[*row] for row in table.rows],
            "done": [*table.chosen],
            "said": [*table.remarks],
        }
        cost = _cost(analyzed)
        if cost is not None:
            data["cost"] = f"{cost:.3f}"
        if isinstance(analysis, PlayAnalysis):
            # these are the rows of the table
            plays = [candidate.play for _, candidate in candidates_shown(analysis, self.candidates)]
            mistake = None
            if cost is not None and table.chosen:
                mistake = plays[table.chosen[0]]
            arrows: list[Plain] = []
            for play in plays:
                # a play that was made but cost nothing has the arrows of a best one
                elements = board.arrows(play, is_made=play == mistake)
                arrows.append(pictures.lines_of(elements))
            data["arrows"] = arrows
        return data

    def _end(self) -> str:
        """A sentence about games or positions that the page leaves out."""
        has_all_games = len(self.games) == len(self.match.games)
        is_at_the_end = not self.games or self.games[-1].steps[-1].is_last
        if has_all_games and is_at_the_end:
            return ""
        return f"<p>The record goes on. This page has its first {self.limit:,} positions.</p>"


def _in_script(data: Plain) -> str:
    """Data for a script element, which it cannot end, nor open a comment there, since it has no "<"."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _cost_words(analyses: Iterable[Analyzed]) -> list[str]:
    """The cost of each decision of a step in words, if that can be seen."""
    words: list[str] = []
    for analyzed in analyses:
        cost = _cost(analyzed)
        if cost is None:
            continue
        loss = signed(-cost)
        is_about_cube = isinstance(analyzed.analysis, CubeAnalysis)
        is_answer = analyzed.action in CUBE_ANSWERS
        if is_about_cube and not is_answer:
            # the same step can have the cost of the play that followed without a double
            loss = f"cube {loss}"
        words.append(loss)
    return words


def _cost(analyzed: Analyzed) -> float | None:
    """The cost of a decision; None if nothing of it can be seen in three decimals."""
    if analyzed.action is None:
        return None
    analysis = analyzed.analysis
    action = analyzed.action
    cost = analysis.error if isinstance(analysis, PlayAnalysis) else analysis.error_of(action)
    if cost is not None and cost >= MIN_SEEN:
        return cost
    return None
