"""What people ask of a position: the verdict at all scores, with the cube in its three places, and on chosen plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import attrs
from attrs import frozen

from gammonrules.board import Play, Position
from gammonrules.engine._driver import before_double
from gammonrules.engine._evaluation import Evaluation
from gammonrules.engine._hint import BoardAndPanel
from gammonrules.engine._simple_engine import SimpleEngine, checked_state
from gammonrules.errors import ArgumentError, EngineUnsupportedError
from gammonrules.match import Action, Cube, MatchState, Phase, Player
from gammonrules.problems import refuse, whole_argument, wrong_fields
from gammonrules.rules import MONEY
from gammonrules.transcript import Candidate, CubeAnalysis, Panel, PlayAnalysis, Row, harmless, is_of_double, signed

if TYPE_CHECKING:
    from gammonrules.draw.svg import Grid, GridCell

Analyzed: TypeAlias = PlayAnalysis | CubeAnalysis | Evaluation
Progress: TypeAlias = Callable[[int, int], object]
Score: TypeAlias = tuple[int, int, bool]
"""What the player on roll needs, what the opponent needs, and whether it is the Crawford game."""

_NAMED: Final[dict[str, Score | None]] = {
    "Money": None,
    "DMP": (1, 1, False),
    "Gammon-go": (2, 1, True),
    "Gammon-save": (1, 2, True),
}
"""The four scores with which players compare all others (Nack Ballard, "Match Score Explanations")."""
_CODES: Final = {"no double, take": "ND", "double, take": "D/T", "double, drop": "D/P", "too good, drop": "TG"}
_ACTIONS: Final = "No double", "Double, take", "Double, drop"
_FARTHEST: Final = 25
_PLAYS: Final = 3
"""How many plays of a roll an opinion has at most."""
_LONGEST_NAME: Final = 40
_LONGEST_WORDS: Final = 100
"""Characters of a play, or of why an engine does not know a state."""


@frozen
class Opinion:
    """What an engine says of a state, seen by the player on roll.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        state: the state that was asked about.
        analysis: the three best plays of the dice; before a roll the equities of a double, or, where nobody may double,
            the evaluation of the state; None if the engine does not know such a state.
        why: why it does not, else "".

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import Opinion
        >>> from gammonrules.records import CubeAnalysis
        >>> state = MatchState.new(7).opening_roll(3, 1).play("8/5 6/5")
        >>> opinion = Opinion(state, CubeAnalysis(0.7, 0.96))
        >>> opinion.words, round(opinion.margin, 2), opinion.equities
        ('double, take', 0.04, (0.7, 0.96, 1.0))
        >>> opinion.brief
        'double, take by 0.040'
        >>> opinion.score  # Black, on roll, needs 7, and so does White
        (7, 7, False)
    """

    state: MatchState
    analysis: Analyzed | None
    why: str = ""

    def __attrs_post_init__(self) -> None:
        refuse("opinion", wrong_fields(self))

    @property
    def words(self) -> str:
        """The best play, or the cube action: "no double, take", "double, take", "double, drop", "too good, drop"."""
        match self.analysis:
            case PlayAnalysis(candidates=(best, *_)):
                return best.play
            case CubeAnalysis() as cube if cube.best is Action.DOUBLE:
                return f"double, {cube.best_answer}"
            case CubeAnalysis() as cube:
                return "no double, take" if cube.best_answer is Action.TAKE else "too good, drop"
            case _:
                return self.why or "no double is possible"

    @property
    def margin(self) -> float | None:
        """How close it is: what the smallest error would cost, of a play, of doubling, or of the answer if one doubles.

        None if there is nothing to decide.
        """
        if isinstance(self.analysis, PlayAnalysis):
            return self.equities[0] - self.equities[1] if self.equities[1:] else None
        if not isinstance(self.analysis, CubeAnalysis):
            return None
        no_double, take, drop = self.equities
        margins = abs(no_double - min(take, drop)), abs(take - drop)
        return min(margins) if self.analysis.best is Action.DOUBLE else margins[0]

    @property
    def equities(self) -> tuple[float, ...]:
        """Those of the plays; of no double, of a double that is taken and of one that is dropped; or of the state."""
        match self.analysis:
            case PlayAnalysis(candidates=plays):
                equities = tuple(play.equity for play in plays)
            case CubeAnalysis(no_double=no_double, double_take=take, double_pass=drop):
                equities = no_double, take, drop
            case Evaluation(equity=equity):
                equities = (equity,)
            case _:
                equities = ()
        return cast("tuple[float, ...]", equities)  # an engine gives all

    @property
    def score(self) -> Score | None:
        """What the player on roll and the opponent need, and whether it is the Crawford game; None in money play."""
        away, player = self.state.away, cast("Player", self.state.on_roll)
        return None if away is None else (away[player], away[player.opponent], self.state.crawford)

    def __str__(self) -> str:
        """The verdict with its numbers: "double, take by 0.040 (+0.700, +0.960, +1.000)"."""
        numbers = f" ({', '.join(map(signed, self.equities))})" if self.equities else ""
        return f"{self.brief}{numbers}"

    @property
    def brief(self) -> str:
        """The verdict, and how close it is, without the equities."""
        return harmless(self.words, _LONGEST_WORDS) + ("" if self.margin is None else f" by {self.margin:.3f}")


@frozen(repr=False)
class ScoreMatrix:
    """The verdict on a position at all scores. Printed, it is a table; in a notebook, a board and `draw.svg.matrix`.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        state: the state that was asked about.
        opinions: one for each score, that of money play first.
        engine: the name of the engine.
        level: how deep it was to look, in its own words.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import SimpleEngine, score_matrix
        >>> state = MatchState.new(7).opening_roll(white=6, black=4)
        >>> with SimpleEngine.bgsage() as bgsage:
        ...     matrix = score_matrix(bgsage, state, away=3)
        >>> matrix.at(1, 1).words, matrix.at(2, 1, crawford=True).words
        ('24/14', '8/2 6/2')
        >>> matrix.money.score, len(matrix.opinions)
        (None, 14)
    """

    state: MatchState
    opinions: tuple[Opinion, ...]
    engine: str = ""
    level: str = ""

    def __attrs_post_init__(self) -> None:
        refuse("matrix", wrong_fields(self))

    @property
    def money(self) -> Opinion:
        """The opinion at money play."""
        return self.opinions[0]

    def at(self, mine: int, theirs: int, *, crawford: bool = False) -> Opinion:
        """The opinion where the player on roll needs `mine` points and the opponent `theirs`.

        Args:
            mine: what the player on roll needs.
            theirs: what the opponent needs.
            crawford: whether it is the Crawford game. Default False: where somebody needs one point, it is past.

        Raises:
            ArgumentError: there is no such score in the matrix.
        """
        opinion = self._by_score.get((mine, theirs, crawford))
        if opinion is None:
            game = " in the Crawford game" * bool(crawford)
            raise ArgumentError(f"the matrix has nothing at {mine!r} away, {theirs!r} away{game}")
        return opinion

    @property
    def _by_score(self) -> dict[Score | None, Opinion]:
        return {opinion.score: opinion for opinion in self.opinions}

    def __repr__(self) -> str:
        return "\n".join([str(self.state), "", *_lines(self._grid_())]).replace("\N{MINUS SIGN}", "-")

    def _repr_html_(self) -> str:
        from gammonrules.draw import svg  # noqa: PLC0415 - drawings are loaded when used

        return "\n".join([svg.table(self.state, size=svg.USUAL_WIDTH), svg.matrix(self, size=svg.USUAL_WIDTH)])

    def _grid_(self) -> Grid:
        """What its picture shows."""
        from gammonrules.draw.svg import Grid  # noqa: PLC0415

        codes, own = self._codes(), Opinion(self.state, None).score
        decided = [opinion for opinion in self.opinions if opinion.state.dice or is_of_double(opinion.state)]
        cells = {_heads(score): _cell(opinion, codes, own) for opinion in decided if (score := opinion.score)}
        rows, columns = (sorted({heads[side] for heads in cells}, key=_order) for side in (0, 1))
        table = [(row, [cells.get((row, column)) for column in columns]) for row in rows]
        what = "The cube" if self.state.dice is None else f"The best play of {self.state.dice}"
        return Grid(f"{what} at all scores", columns, table, [*self._remarks(codes)])

    def _codes(self) -> dict[str, str]:
        """The code of each verdict: that of the cube action, or for plays a letter, the most frequent first."""
        if self.state.dice is None:
            return _CODES
        plays = Counter(opinion.words for opinion in self.opinions if opinion.analysis is not None)
        return {play: chr(ord("A") + rank) for rank, (play, _) in enumerate(plays.most_common())}

    def _remarks(self, codes: dict[str, str]) -> Iterator[str]:
        player = cast("Player", self.state.on_roll)
        yield f"Rows: what {player.title()}, on roll, needs; columns: {player.opponent.title()}"
        yield "1C: Crawford game, 1: after it; small: what an error costs"
        if Opinion(self.state, None).score in self._by_score:
            yield "Framed, or with a star: the score of the position"
        said = {opinion.words for opinion in self.opinions}
        yield from (f"{code}: {harmless(words, _LONGEST_NAME)}" for words, code in codes.items() if words in said)
        by_score = self._by_score
        yield from (f"{name}: {by_score[score]}" for name, score in _NAMED.items() if score in by_score)
        yield harmless(f"Engine: {self.engine}", _LONGEST_NAME)
        yield harmless(f"Level: {self.level}", _LONGEST_NAME)


@frozen(repr=False)
class CubePlaces(BoardAndPanel):
    """A position with the cube in its three places. Printed, and in a notebook, it is a board with a table.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        state: the state that was asked about.
        opinions: with the cube in the middle, with the player on roll, with the opponent.
        engine: the name of the engine.
        level: how deep it was to look, in its own words.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import SimpleEngine, cube_places
        >>> text = "XGID=-a--BBBBC---cC-a-b-bbb----:0:0:1:00:0:0:0:7:10"
        >>> with SimpleEngine.bgsage() as bgsage:
        ...     places = cube_places(bgsage, MatchState.from_xgid(text))
        >>> [opinion.words for opinion in places.opinions]
        ['double, take', 'double, take', 'no double is possible']
    """

    state: MatchState
    opinions: tuple[Opinion, ...]
    engine: str = ""
    level: str = ""

    def __attrs_post_init__(self) -> None:
        refuse("cube places", wrong_fields(self))

    def _panel(self) -> Panel:
        alternatives = _ACTIONS if self.state.dice is None else ("Best", "Second", "Third")
        rows = [_places_row(opinion) for opinion in self.opinions]
        about = [f"Engine: {harmless(self.engine, _LONGEST_NAME)}", f"Level: {harmless(self.level, _LONGEST_NAME)}"]
        return Panel("Cube", ["Cube", *alternatives, "Verdict"], rows, [], about)


@frozen(repr=False)
class PlayComparison(BoardAndPanel):
    """Chosen plays of a roll compared. Printed, and in a notebook, it is a board with a table.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        state: the state with the dice.
        candidates: the chosen plays, best first.
        best: the best play of all.
        engine: the name of the engine.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import SimpleEngine, compare_plays
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> with SimpleEngine.bgsage() as bgsage:
        ...     compared = compare_plays(bgsage, state, ["6/2", "24/20"])
        >>> [play.play for play in compared.candidates], compared.best.play
        (['24/20', '6/2'], '8/5 6/5')
        >>> all(loss > 0.1 for loss in compared.losses)
        True
    """

    state: MatchState
    candidates: tuple[Candidate, ...]
    best: Candidate
    engine: str = ""

    def __attrs_post_init__(self) -> None:
        refuse("comparison", wrong_fields(self))

    @property
    def losses(self) -> tuple[float, ...]:
        """What each of the plays loses against the best one of all, in normalized equity."""
        return tuple(cast("float", self.best.equity) - cast("float", play.equity) for play in self.candidates)

    def _panel(self) -> Panel:
        rows = [
            Row(
                harmless(play.play, _LONGEST_WORDS),
                play.equity,
                play.chances,
                play.mwc,
                play.level,
                play.standard_error,
                -loss,
            )
            for play, loss in zip(self.candidates, self.losses, strict=True)
        ]
        best = f"Best of all: {harmless(self.best.play, _LONGEST_WORDS)} {signed(cast('float', self.best.equity))}"
        return Panel.of("Plays", "Play", rows, [best], self.engine)


# --- asking -----------------------------------------------------------------------------------------------------------


def score_matrix(
    engine: SimpleEngine,
    state: MatchState,
    *,
    away: int = 9,
    progress: Progress | None = None,
    timeout: float | None = None,
) -> ScoreMatrix:
    """The verdict on a position at all scores: the best play of the dice, or before a roll the cube action.

    - The player on roll and the opponent need 1 to `away` points each; where one of them needs 1, it is the Crawford
      game or a later one, as in GNU Backgammon's score map. Before a roll, it is the scores at which a double is
      possible, and the four below.
    - Money play has the Jacoby rule and beavers, or the rules of the state if that is one of money play.
    - DMP (double match point) is 1 away, 1 away; gammon-go 2 away, 1 away, gammon-save 1 away, 2 away, both in the
      Crawford game.

    The cube stays where it is; of a centered one in money play, automatic doubles are taken back. What the engine does
    not know at a score, the opinion there says.

    Args:
        engine: the engine to ask. One that rolls out takes minutes for each score.
        state: a state before a roll, or with dice that leave a choice. A double that is pending is taken back, since
            the verdict is on doubling and on its answer.
        away: how far away the scores go, 2 to 25; by default 9.
        progress: is called after each score with how many were asked about, and how many there are.
        timeout: seconds for each score, as for `SimpleEngine.decide`.

    Raises:
        ArgumentError: the state is none of these, or `away` is out of bounds.
        IllegalActionError: no roll and no double: there is no cube, or the opponent owns it.
        EngineUnsupportedError: the engine does not know the position at any score.
        EngineError: see its other subclasses.
    """
    farthest = whole_argument("away", away, 2, _FARTHEST)
    asked = _with_choice(state)
    money = _at(asked, None, 0)
    if asked.dice is None:
        _ = money.double()
    scores = [_at(asked, score, farthest + 1) for score in _scores(asked, farthest)]
    named = {*_NAMED.values()}
    states = [at for at in scores if at.dice or is_of_double(at) or Opinion(at, None).score in named]
    return ScoreMatrix(asked, _opinions(engine, [money, *states], progress, timeout), engine.name, engine.level)


def cube_places(
    engine: SimpleEngine, state: MatchState, *, progress: Progress | None = None, timeout: float | None = None
) -> CubePlaces:
    """A position with the cube in the middle, with the player on roll and with the opponent.

    With dice it is the best plays; before a roll the cube action, or what the position is worth where the player on
    roll may not double. A cube in the middle is at 1. With a player it is at its value, or at 2 if it is in the middle.

    Args:
        engine: the engine to ask.
        state: as for `score_matrix`.
        progress: as for `score_matrix`.
        timeout: as for `score_matrix`.

    Raises:
        ArgumentError: the state is none of these, or its game has no doubling.
        EngineUnsupportedError: the engine does not know the position.
        EngineError: see its other subclasses.
    """
    asked = _with_choice(state)
    if asked.crawford or not asked.rules.cube:
        game = "the Crawford game" if asked.crawford else "a game without a cube"
        raise ArgumentError(f"the cube has no other places in {game}")
    player, value = cast("Player", asked.on_roll), max(2, asked.cube.value)
    cubes = Cube(), Cube(value, player), Cube(value, player.opponent)
    states = [attrs.evolve(asked, cube=cube) for cube in cubes]
    return CubePlaces(asked, _opinions(engine, states, progress, timeout), engine.name, engine.level)


def compare_plays(
    engine: SimpleEngine,
    state: MatchState,
    plays: str | Sequence[str | Play | Position],
    *,
    timeout: float | None = None,
) -> PlayComparison:
    """Chosen plays of a roll compared, even bad ones, each looked at as deeply as the best play of all.

    Args:
        engine: the engine to ask.
        state: a state with dice that leave a choice.
        plays: the plays, or a text that has a semicolon between them.
        timeout: as for `SimpleEngine.decide`.

    Raises:
        ArgumentError: there are no dice, or no plays; or the dice leave no choice.
        IllegalPlayError: one of the plays is not legal.
        ParseError: one of them is no play.
        EngineError: see its subclasses.
    """
    if _with_choice(state).dice is None:
        raise ArgumentError("plays are compared where there are dice to play")
    texts = [text.strip() for text in plays.split(";") if text.strip()] if isinstance(plays, str) else plays
    chosen = {state.legal_plays.find(play).position for play in texts}
    if not chosen:
        raise ArgumentError("there are no plays to compare")
    best, *others = engine.candidates(state, 1, also=texts, timeout=timeout)
    return PlayComparison(state, tuple(play for play in (best, *others) if play.position in chosen), best, engine.name)


def _with_choice(state: MatchState) -> MatchState:
    """The state, or that before the double that is pending. Raises ArgumentError if there is nothing to decide."""
    state = checked_state(state)
    if state.phase is Phase.DOUBLED and is_of_double(state):
        return before_double(state)
    if state.phase not in {Phase.TO_ROLL, Phase.TO_PLAY}:
        raise ArgumentError(f"people ask so before a roll or with dice, not when the phase is {str(state.phase)!r}")
    if state.dice is not None and len(state.legal_plays) == 1:
        raise ArgumentError(f"{state.dice} leaves no choice: it is {state.legal_plays[0]}")
    return state


def _scores(state: MatchState, farthest: int) -> Iterator[Score]:
    """All scores; in the Crawford game there is no turned cube."""
    for mine, theirs in product(range(1, farthest + 1), repeat=2):
        yield mine, theirs, False
        if state.rules.crawford and state.cube.owner is None and (mine == 1) != (theirs == 1):
            yield mine, theirs, True


def _at(state: MatchState, score: Score | None, length: int) -> MatchState:
    """The position at another score; None for money play."""
    cube = state.cube if state.cube.owner else Cube()
    if score is None:
        rules = state.rules
        if state.length is not None and rules.cube:
            rules = attrs.evolve(rules, jacoby=MONEY.jacoby, beavers=MONEY.beavers)
        return attrs.evolve(state, length=None, score=(0, 0), crawford=False, cube=cube, rules=rules)
    mine, theirs, crawford = score
    points = length - mine, length - theirs
    white_first = points if state.on_roll is Player.WHITE else points[::-1]
    return attrs.evolve(state, length=length, score=white_first, crawford=crawford, cube=cube)


def _opinions(
    engine: SimpleEngine, states: Sequence[MatchState], progress: Progress | None, timeout: float | None
) -> tuple[Opinion, ...]:
    opinions = list[Opinion]()
    for number, state in enumerate(states, start=1):
        try:
            opinions.append(Opinion(state, _analysis(engine, state, timeout)))
        except EngineUnsupportedError as error:
            opinions.append(Opinion(state, None, str(error)))
        if progress is not None:
            progress(number, len(states))
    if all(opinion.analysis is None for opinion in opinions):
        raise EngineUnsupportedError(opinions[0].why)
    return tuple(opinions)


def _analysis(engine: SimpleEngine, state: MatchState, timeout: float | None) -> Analyzed:
    if state.dice is not None:
        return PlayAnalysis(engine.candidates(state, _PLAYS, timeout=timeout), engine=engine.name)
    return (engine.cube if is_of_double(state) else engine.evaluate)(state, timeout=timeout)


# --- showing ----------------------------------------------------------------------------------------------------------


def _heads(score: Score) -> tuple[str, str]:
    """The heads of its row and column."""
    mine, theirs, crawford = score
    return "1C" if crawford and mine == 1 else str(mine), "1C" if crawford and theirs == 1 else str(theirs)


def _order(head: str) -> tuple[int, str]:
    return int(head.rstrip("C")), head


def _cell(opinion: Opinion, codes: dict[str, str], own: Score | None) -> GridCell:
    from gammonrules.draw.svg import GridCell  # noqa: PLC0415

    row, column = _heads(cast("Score", opinion.score))
    code = codes.get(opinion.words, "?")
    margin = "" if opinion.margin is None else f"{opinion.margin:.3f}".removeprefix("0")
    shade = [*codes, opinion.words].index(opinion.words)
    return GridCell(code, margin, shade, f"{row} away, {column} away: {opinion}", opinion.score == own)


def _lines(grid: Grid) -> Iterator[str]:
    """The cells as text, each on two lines; a star marks the score of the position."""
    yield grid.title
    yield f"{'':4}{''.join(f'{head:>6}' for head in grid.columns)}"
    for head, cells in grid.rows:
        codes = [f"{'*' * cell.is_own}{cell.code}" if cell else "" for cell in cells]
        numbers = [cell.number if cell else "" for cell in cells]
        yield f"{head:>4}{''.join(f'{code:>6}' for code in codes)}".rstrip()
        yield f"{'':4}{''.join(f'{number:>6}' for number in numbers)}".rstrip()
    yield from grid.remarks


def _worth(play: Candidate) -> tuple[Any, ...]:
    return play.equity, play.chances, play.mwc, play.level, play.standard_error


def _places_row(opinion: Opinion) -> list[str]:
    """The cube, and what is done with it there."""
    cube, analysis = opinion.state.cube, opinion.analysis
    place = "Centered" if cube.owner is None else f"{cube.owner.title()}'s, at {cube.value}"
    cells = [*map(signed, opinion.equities)]
    if isinstance(analysis, PlayAnalysis):
        cells = [
            f"{harmless(play.play, _LONGEST_WORDS)} {cell}"
            for play, cell in zip(analysis.candidates, cells, strict=True)
        ]
    return [place, *cells, *[""] * (_PLAYS - len(cells)), opinion.brief]
