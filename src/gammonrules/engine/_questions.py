"""What people ask of a position: the verdict at all scores, with the cube in its three places, and on chosen plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from textwrap import wrap
from typing import TYPE_CHECKING, Final, TypeAlias

import attrs
from attrs import field, frozen

from gammonrules._shared.checked_fields import Checked, check_kind
from gammonrules.analysis import CubeAnalysis, Level, PlayAnalysis
from gammonrules.analysis.internals import (
    UNKNOWN,
    Panel,
    cube_verdict,
    harmless,
    is_of_double,
    level_of_text,
    signed,
    trials_at_levels,
    trials_text,
)
from gammonrules.board import Play, Position
from gammonrules.draw import BoardStyle
from gammonrules.engine._driver import before_double
from gammonrules.engine._evaluation import Evaluation, equity_of, margin_of_cube, player_on_roll
from gammonrules.engine._hint import (
    MAX_REMARK_LENGTH,
    BoardAndPanel,
    Hint,
    advice_line,
    ignored_rule_line,
    level_of_analysis,
)
from gammonrules.engine._simple_engine import SimpleEngine, advice_on, checked_state
from gammonrules.errors import ArgumentError, EngineUnsupportedError
from gammonrules.match import Action, Cube, MatchState, Phase
from gammonrules.match.internals import score_with_away
from gammonrules.values import whole_argument

if TYPE_CHECKING:
    from gammonrules.draw.svg import Grid, GridCell

ProgressCallback: TypeAlias = Callable[[int, int], object] | None
Score: TypeAlias = tuple[int, int, bool]
"""What the player on roll needs, what the opponent needs, and whether it is the Crawford game."""

_NAMED_SCORES: Final = {
    "Money": None,
    "DMP": (1, 1, False),
    "Gammon-go": (2, 1, True),
    "Gammon-save": (1, 2, True),
}
"""The four scores with which players compare all others (Nack Ballard, "Match Score Explanations")."""
_CODES: Final = {
    "no double, take": "ND",
    "double, take": "D/T",
    "double, drop": "D/P",
    "too good, drop": "TG",
}
_FARTHEST: Final = 25
_PLAYS: Final = 3
"""How many plays of a roll an analysis has at most."""
_MAX_NAME_LENGTH = 53


@frozen
class StateAnalysis(Checked):
    """What an engine says of a state, seen by the player on roll.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        state: the state that was asked about.
        analysis: the three best plays of the dice; before a roll the equities of a double, or, where nobody may double,
            the evaluation of the state; None if the engine does not know such a state.
        reason: why it does not, else "".

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import StateAnalysis
        >>> from gammonrules.analysis import CubeAnalysis
        >>> state = MatchState.new(7).opening_roll(3, 1).play("8/5 6/5")
        >>> analysis = StateAnalysis(state, CubeAnalysis(0.7, 0.96))
        >>> analysis.verdict, round(analysis.margin, 2), analysis.equities["no double"]
        ('double, take', 0.04, 0.7)
        >>> analysis.score  # each needs 7 points
        (7, 7, False)
    """

    state: MatchState
    analysis: PlayAnalysis | CubeAnalysis | Evaluation | None
    reason: str = ""

    @property
    def verdict(self) -> str:
        """The best play, or the cube action: "no double, take", "double, take", "double, drop", "too good, drop"."""
        match self.analysis:
            case PlayAnalysis(candidates=(best, *_)):
                return best.play
            case CubeAnalysis():
                return cube_verdict(self.analysis)
            case _:
                return self.reason or "no double is possible"

    @property
    def equities(self) -> dict[str, float]:
        """Those of the plays; of "no double", "double, take" and "double, drop"; or of "no double" alone."""
        match self.analysis:
            case PlayAnalysis(candidates=plays):
                return {play.play: equity_of(play) for play in plays}
            case CubeAnalysis(
                no_double=float(no_double), double_take=float(take), double_drop=float(drop)
            ):
                return {"no double": no_double, "double, take": take, "double, drop": drop}
            case Evaluation(equity=equity):
                return {"no double": equity}
            case _:
                return {}

    @property
    def margin(self) -> float | None:
        """How close it is: what the smallest error would cost, of a play, of doubling, or of the answer if one doubles.

        None if there is nothing to decide.
        """
        equities = [*self.equities.values()]
        if isinstance(self.analysis, PlayAnalysis) and len(equities) > 1:
            best = equities[0]
            second = equities[1]
            return best - second
        if isinstance(self.analysis, CubeAnalysis) and equities:
            return margin_of_cube(self.analysis)
        return None

    @property
    def score(self) -> Score | None:
        """What the player on roll and the opponent need, and whether it is the Crawford game; None in money play."""
        away = self.state.away
        if away is None:
            return None
        player = player_on_roll(self.state)
        return away[player], away[player.opponent], self.state.crawford

    def __str__(self) -> str:
        """The verdict, how close it is, and the equities."""
        text = self.verdict
        if self.margin is not None:
            text += f" by {self.margin:.3f}"
        equities = [f"{name} {signed(equity)}" for name, equity in self.equities.items()]
        if equities:
            text += f" ({', '.join(equities)})"
        return harmless(text, MAX_REMARK_LENGTH)


def _level_of_state_analysis(analysis: StateAnalysis) -> Level:
    return UNKNOWN if analysis.analysis is None else level_of_analysis(analysis.analysis)


def _is_to_decide(state: MatchState) -> bool:
    """Whether there are dice to play, or a double is possible."""
    return state.dice is not None or is_of_double(state)


@frozen(repr=False)
class _StateAnalyses(Checked, BoardAndPanel):
    state: MatchState
    analyses: tuple[StateAnalysis, ...]
    engine: str = ""
    level: Level = field(default=UNKNOWN, converter=level_of_text)
    ignored_rule: str | None = None
    advice: str = ""

    def _engine_lines(self) -> list[str]:
        """Lines about the engine: its name and level, its trials, the rule that it ignored, and what judges better."""
        engine = harmless(f"Engine: {self.engine}, {self.level}", MAX_REMARK_LENGTH)
        lines = wrap(engine, _MAX_NAME_LENGTH)
        levels = [_level_of_state_analysis(analysis) for analysis in self.analyses]
        trials = trials_text(trials_at_levels(levels))
        if trials:
            lines.append(trials)
        lines += ignored_rule_line(self.ignored_rule)
        for line in advice_line(self.advice, levels):
            lines += wrap(line, _MAX_NAME_LENGTH)
        return lines


@frozen(order=True)
class _Away:
    """What one side needs: the head of a row or of a column."""

    points: int
    is_crawford: bool
    """Whether this side needs one point, and it is the Crawford game."""

    def __str__(self) -> str:
        return f"{self.points}C" if self.is_crawford else str(self.points)


def _code_shown(cell: GridCell | None) -> str:
    """With a star at the score of the position."""
    if cell is None:
        return ""
    return f"*{cell.code}" if cell.is_own else cell.code


def _margin_in_cell(margin: float | None) -> str:
    """A margin in few characters: "1.25", ".040"."""
    if margin is None:
        return ""
    return f"{margin:.2f}" if margin > 1 else f"{margin:.3f}".removeprefix("0")


@frozen(repr=False)
class ScoreMatrix(_StateAnalyses):
    """The verdict on a position at all scores. Printed, it is a table; in a notebook, a board and `draw.svg.matrix`.

    Who is on roll, or has doubled, is at the bottom of the board.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        state: the state that was asked about.
        analyses: one for each score, the first for money play.
        engine: the name of the engine.
        level: how deep it was to look.
        ignored_rule: the rule that the engine ignored in money play, as `SimpleEngine.ignored_rule` returns it; None
            (the default) if it ignored none.
        advice: what judges such a state better; "" (the default) for nothing.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import SimpleEngine, score_matrix
        >>> state = MatchState.new(7).opening_roll(white=6, black=4)
        >>> with SimpleEngine.bgsage(1) as bgsage:
        ...     matrix = score_matrix(bgsage, state, away=3)
        >>> matrix.at(1, 1).verdict, matrix.at(2, 1, crawford=True).verdict
        ('24/14', '8/2 6/2')
        >>> matrix.analyses[0].score, len(matrix.analyses)
        (None, 14)
    """

    def at(self, mine: int, theirs: int, *, crawford: bool = False) -> StateAnalysis:
        """The analysis where the player on roll needs `mine` points and the opponent `theirs`.

        Args:
            mine: what the player on roll needs.
            theirs: what the opponent needs.
            crawford: whether it is the Crawford game. Default False: where somebody needs one point, it is past.

        Raises:
            ArgumentError: there is no such score in the matrix.
        """
        for analysis in self.analyses:
            if analysis.score == (mine, theirs, crawford):
                return analysis
        game = ", Crawford" if crawford else ""
        raise ArgumentError(f"no such score: {mine!r} away, {theirs!r} away{game}")

    def _repr_html_(self) -> str:
        from gammonrules.draw import svg  # noqa: PLC0415 - drawings are loaded when used

        style = svg.NOTEBOOK_STYLE
        board = svg.match_state(self.state, bottom=self.state.on_roll, style=style)
        matrix = svg.matrix(self, style=style)
        return f'<div style="display: grid; gap: 1em">{board}\n{matrix}</div>'

    def _image(self, style: BoardStyle | None) -> str:
        from gammonrules.draw import svg  # noqa: PLC0415

        return svg.matrix(self, style=style)

    def _panel(self) -> Panel:
        """The grid in text, two lines for each of its rows: the codes of the verdicts, and the margins."""
        grid = self._grid_()
        lines = list[list[str]]()
        for row in grid.rows:
            codes = [_code_shown(cell) for cell in row.cells]
            margins = ["" if cell is None else cell.number for cell in row.cells]
            lines.append([row.head, *codes])
            lines.append(["", *margins])
        return Panel(
            grid.title,
            head=["", *grid.columns],
            rows=lines,
            chosen=[],
            remarks=[grid.title, *grid.remarks],
        )

    def _grid_(self) -> Grid:
        """The cells of the picture, with their heads and its title."""
        from gammonrules.draw.svg import Grid, GridCell, GridRow  # noqa: PLC0415

        codes = self._codes()
        shades = {words: shade for shade, words in enumerate(codes)}
        shade_of_others = len(codes)
        own_score = StateAnalysis(self.state, None).score
        cells: dict[tuple[_Away, _Away], GridCell] = {}
        for analysis in self.analyses:
            score = analysis.score
            if score is None or not _is_to_decide(analysis.state):  # None is money play
                continue
            mine, theirs, crawford = score
            # "1C" is at the head of the side that needs one point in the Crawford game
            row = _Away(mine, is_crawford=crawford and mine == 1)
            column = _Away(theirs, is_crawford=crawford and theirs == 1)
            cells[row, column] = GridCell(
                codes.get(analysis.verdict, "?"),
                number=_margin_in_cell(analysis.margin),
                shade=shades.get(analysis.verdict, shade_of_others),
                sentence=f"{row} away, {column} away: {analysis}",
                is_own=score == own_score,
            )
        # some scores have no cell: where nobody may double
        columns = sorted({column for _, column in cells})
        rows = list[GridRow]()
        for row in sorted({row for row, _ in cells}):
            cells_of_row = [cells.get((row, column)) for column in columns]
            rows.append(GridRow(str(row), cells_of_row))
        what = "The cube" if self.state.dice is None else f"The best play of {self.state.dice}"
        return Grid(
            f"{what} at all scores",
            columns=[str(column) for column in columns],
            rows=rows,
            remarks=[*self._remarks(codes, cells)],
        )

    def _codes(self) -> dict[str, str]:
        """The codes of the verdicts: those of cube actions, or for plays letters, the most frequent first."""
        if self.state.dice is None:
            return _CODES
        words = Counter(
            analysis.verdict for analysis in self.analyses if analysis.margin is not None
        )
        return {play: chr(ord("A") + rank) for rank, (play, _) in enumerate(words.most_common())}

    def _remarks(
        self, codes: dict[str, str], cells: dict[tuple[_Away, _Away], GridCell]
    ) -> Iterator[str]:
        """The remarks below the grid: its codes and marks, and the analyses at the scores that have a name."""
        player = player_on_roll(self.state)
        codes_in_cells = {cell.code for cell in cells.values()}
        for words, code in codes.items():
            if code in codes_in_cells:
                yield f"{code}: {harmless(words, _MAX_NAME_LENGTH)}"
        yield f"Rows: what {player.title()}, on roll, needs; columns: {player.opponent.title()}"
        yield "Below each verdict: what the least error costs"
        if any(row.is_crawford or column.is_crawford for row, column in cells):
            yield "1C: Crawford, 1: after it"
        if any(cell.is_own for cell in cells.values()):
            yield "Marked: the score of the position"
        analysis_by_score = {analysis.score: analysis for analysis in self.analyses}
        for name, score in _NAMED_SCORES.items():
            analysis = analysis_by_score.get(score)
            if analysis is not None and analysis.margin is not None:
                yield from wrap(f"{name}: {analysis}", _MAX_NAME_LENGTH, subsequent_indent="  ")
        yield from self._engine_lines()


@frozen(repr=False)
class CubeComparison(_StateAnalyses):
    """A position with the cube in its three places. Printed, and in a notebook, it is a board with a table.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        state: the state that was asked about.
        analyses: with the cube in the middle, with the player on roll, with the opponent.
        engine: the name of the engine.
        level: how deep it was to look.
        ignored_rule: the rule that the engine ignored at some place of the cube, as `SimpleEngine.ignored_rule` returns
            it; None (the default) if it ignored none.
        advice: what judges such a state better; "" (the default) for nothing.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import SimpleEngine, compare_cube_positions
        >>> text = "XGID=-a--BBBBC---cC-a-b-bbb----:0:0:1:00:0:0:0:7:10"
        >>> with SimpleEngine.bgsage() as bgsage:
        ...     places = compare_cube_positions(bgsage, MatchState.from_xgid(text))
        >>> [analysis.verdict for analysis in places.analyses]
        ['double, drop', 'double, drop', 'no double is possible']
    """

    def _panel(self) -> Panel:
        rows = list[list[str]]()
        for analysis in self.analyses:
            cube = analysis.state.cube
            place = "Centered"
            if cube.owner is not None:
                place = f"{cube.owner.title()}'s, at {cube.value}"
            rows.append([place, str(analysis)])
        return Panel(
            "Cube", head=["Cube", "Verdict"], rows=rows, chosen=[], remarks=self._engine_lines()
        )

    def _short_rows(self, whole: Panel) -> Sequence[str]:
        return [": ".join(row) for row in whole.rows]


def score_matrix(
    engine: SimpleEngine, state: MatchState, *, away: int = 9, progress: ProgressCallback = None
) -> ScoreMatrix:
    """The verdict on a position at all scores: the best play of the dice, or before a roll the cube action.

    - The player on roll and the opponent need 1 to `away` points each; where one of them needs 1, it is the Crawford
      game or a later one, as in GNU Backgammon's score map. Before a roll, these are the scores at which a double is
      possible, and those below.
    - DMP (double match point) is 1 away, 1 away; gammon-go 2 away, 1 away, gammon-save 1 away, 2 away, both in the
      Crawford game.
    - Money play is by the rules of the state: without the Jacoby rule if it is one of a match.

    The cube stays where it is, but automatic doubles are taken back. What the engine does not know at a score, the
    analysis there says.

    Args:
        engine: the engine to ask. One that rolls out may take minutes for each score.
        state: a state before a roll, or with dice that leave a choice. A double that is pending is taken back, since
            the verdict is on doubling and on its answer.
        away: how far away the scores go, 2 to 25; by default 9.
        progress: is called after each score with how many were asked about, and how many there are.

    Raises:
        ArgumentError: the state is none of these, `engine` is no `SimpleEngine`, or `away` is out of bounds.
        IllegalActionError: before a roll, there is no cube, or the opponent owns it.
        EngineUnsupportedError: the engine does not know the position at any score.
        EngineError: see its other subclasses.
    """
    check_kind("engine", engine, SimpleEngine)
    farthest = whole_argument("away", value=away, minimum=2, maximum=_FARTHEST)
    asked = _state_to_decide(state)
    # a cube in the middle is at 1, without automatic doubles
    cube = asked.cube if asked.cube.owner else Cube()
    money = attrs.evolve(asked, length=None, score=(0, 0), crawford=False, cube=cube)
    if money.dice is None:
        _ = money.double()  # only for its IllegalActionError
    matches = [match for match in _at_all_scores(money, farthest) if _is_asked_about(match)]
    states = [money, *matches]
    return ScoreMatrix(
        asked,
        analyses=_analyses_of(engine, states, progress),
        engine=engine.name,
        level=engine.level,
        ignored_rule=_first_ignored_rule(engine, states),
        advice=advice_on(engine, asked),
    )


def compare_cube_positions(
    engine: SimpleEngine, state: MatchState, *, progress: ProgressCallback = None
) -> CubeComparison:
    """A position with the cube in the middle, with the player on roll and with the opponent.

    With dice it is the best plays; before a roll the cube action, or what the position is worth where the player on
    roll may not double. A cube in the middle is at 1. With a player it is at its value, or at 2 if it is in the middle.

    Args:
        engine: the engine to ask.
        state: as for `score_matrix`.
        progress: as for `score_matrix`.

    Raises:
        ArgumentError: the state is none of these, `engine` is no `SimpleEngine`, or the game has no doubling.
        EngineUnsupportedError: the engine does not know the position.
        EngineError: see its other subclasses.
    """
    check_kind("engine", engine, SimpleEngine)
    asked = _state_to_decide(state)
    if asked.crawford or not asked.rules.cube:
        game = "the Crawford game" if asked.crawford else "a game without a cube"
        raise ArgumentError(f"the cube has no other places in {game}")
    player = player_on_roll(asked)
    value = max(2, asked.cube.value)  # an owned cube has been turned once at least
    cubes = Cube(), Cube(value, player), Cube(value, player.opponent)
    states = [attrs.evolve(asked, cube=cube) for cube in cubes]
    return CubeComparison(
        asked,
        analyses=_analyses_of(engine, states, progress),
        engine=engine.name,
        level=engine.level,
        ignored_rule=_first_ignored_rule(engine, states),
        advice=advice_on(engine, asked),
    )


def compare_plays(
    engine: SimpleEngine, state: MatchState, plays: str | Sequence[str | Play | Position]
) -> Hint:
    """Chosen plays of a roll compared, even bad ones: what each loses against the best play of all.

    All are looked at as deeply as that one.

    Args:
        engine: the engine to ask.
        state: a state with dice that leave a choice.
        plays: the plays, or a text with a semicolon between them.

    Returns:
        A hint that shows these plays alone (`Hint.chosen`).

    Raises:
        ArgumentError: there are no dice or no plays, the dice leave no choice, or `engine` is no `SimpleEngine`.
        IllegalPlayError: one of the plays is not legal.
        ParseError: one of them is no play.
        EngineError: see its subclasses.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import SimpleEngine, compare_plays
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> with SimpleEngine.bgsage() as bgsage:
        ...     hint = compare_plays(bgsage, state, "6/2; 24/20")
        >>> [hint.analysis.candidates[rank].play for rank in hint.chosen]
        ['24/20', '6/2']
        >>> hint.analysis.best.play
        '8/5 6/5'
    """
    check_kind("engine", engine, SimpleEngine)
    if _state_to_decide(state).dice is None:
        raise ArgumentError("plays are compared where there are dice to play")
    if isinstance(plays, str):
        plays = [text for text in plays.split(";") if text.strip()]
    chosen_positions = {state.legal_plays.find(play).position for play in plays}
    if not chosen_positions:
        raise ArgumentError("there are no plays to compare")
    candidates = engine.candidates(state, also=plays)
    ranks = [rank for rank, play in enumerate(candidates) if play.position in chosen_positions]
    analysis = PlayAnalysis(candidates, engine=engine.name)
    return Hint(
        state,
        action=Action.PLAY,
        analysis=analysis,
        engine=engine.name,
        chosen=tuple(ranks),
        ignored_rule=engine.ignored_rule(state),
        advice=advice_on(engine, state),
    )


def _state_to_decide(state: MatchState) -> MatchState:
    """The state in which one decides: this one, or that before the double that is pending. Raises ArgumentError."""
    phase = checked_state(state).phase
    if phase is Phase.DOUBLED and is_of_double(state):
        return before_double(state)
    if phase not in {Phase.TO_ROLL, Phase.TO_PLAY}:
        raise ArgumentError(
            f"people ask so before a roll or with dice, not when the phase is {str(phase)!r}"
        )
    if state.dice is not None and len(state.legal_plays) == 1:
        raise ArgumentError(f"{state.dice} leaves no choice: it is {state.legal_plays[0]}")
    return state


def _at_all_scores(money: MatchState, farthest: int) -> Iterator[MatchState]:
    """The same position at each score; where it may be the Crawford game or a later one, as both."""
    length = farthest + 1
    player = player_on_roll(money)
    cube_was_turned = money.cube.owner is not None
    may_be_crawford_game = money.rules.crawford and not cube_was_turned
    for mine, theirs in product(range(1, length), repeat=2):
        score = score_with_away(player, mine, theirs, length)
        match = attrs.evolve(money, length=length, score=score, crawford=False)
        yield match
        just_one_needs_1 = (mine, theirs).count(1) == 1
        if may_be_crawford_game and just_one_needs_1:
            yield attrs.evolve(match, crawford=True)


def _is_asked_about(match: MatchState) -> bool:
    return _is_to_decide(match) or StateAnalysis(match, None).score in _NAMED_SCORES.values()


def _analyses_of(
    engine: SimpleEngine, states: Sequence[MatchState], progress: ProgressCallback
) -> tuple[StateAnalysis, ...]:
    analyses: list[StateAnalysis] = []
    for state in states:
        try:
            analyses.append(StateAnalysis(state, _asked_of(engine, state)))
        except EngineUnsupportedError as error:
            analyses.append(StateAnalysis(state, None, str(error)))
        if progress is not None:
            progress(len(analyses), len(states))
    if all(analysis.analysis is None for analysis in analyses):
        raise EngineUnsupportedError(analyses[0].reason)
    return tuple(analyses)


def _first_ignored_rule(engine: SimpleEngine, states: Sequence[MatchState]) -> str | None:
    """The first rule of these states that the engine ignores."""
    rules = map(engine.ignored_rule, states)
    return next((rule for rule in rules if rule is not None), None)


def _asked_of(engine: SimpleEngine, state: MatchState) -> PlayAnalysis | CubeAnalysis | Evaluation:
    if state.dice is not None:
        return PlayAnalysis(engine.candidates(state, _PLAYS), engine=engine.name)
    return engine.cube_analysis(state) if is_of_double(state) else engine.evaluate(state)
