"""`analyze`: the analysis of every decision of a match, by an engine."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, MutableMapping, Sequence
from contextlib import suppress
from inspect import iscoroutinefunction
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import attrs
from attrs import Factory, frozen

from gammonrules._shared.checked_fields import check_kind
from gammonrules.analysis import Analysis, Candidate, CubeAnalysis, Level, PlayAnalysis
from gammonrules.analysis.internals import EncodedAnalysis, is_of_double
from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.errors import ArgumentError, EngineUnsupportedError
from gammonrules.match import Action, Event, MatchState, Phase, Player
from gammonrules.records.formats import PlayProperties, decode_plays, read, write_sgf
from gammonrules.records.transcript import Decision, DecisionKind, Game, Match
from gammonrules.records.transcript.header_tags import IGNORED_RULE
from gammonrules.rules import Rules
from gammonrules.values import shown

MAX_CANDIDATES: Final = 10
"""How many plays of a roll an analysis lists, beside the one that was made."""
_OPENINGS: Final = 15
"""The rolls that are no doublets."""
_ROLLS_OF_TWO_DICE: Final = 36
"""The weights of all rolls together: 2 of each, 1 of a doublet."""
_OF_DOUBLES: Final = (DecisionKind.DOUBLE, DecisionKind.ANSWER)
_SHARED: Final = {"double": 1, "take": -1, "drop": -1}
"""How many events further the decision is that shares an analysis."""

_Answer = TypeVar("_Answer")

Cache: TypeAlias = MutableMapping[Any, Any]
ProgressCallback: TypeAlias = Callable[[MatchState, str | None], object]
Only: TypeAlias = Callable[[Decision], bool]


class Analyzer(Protocol):
    """What `analyze` asks of an engine. Every `SimpleEngine` can be asked this.

    Examples:
        >>> from gammonrules.engine import SimpleEngine
        >>> from gammonrules.records import Analyzer
        >>> with SimpleEngine.bgsage() as bgsage:
        ...     analyzer: Analyzer = bgsage
        ...     str(analyzer.level)
        '2-ply'
    """

    @property
    def name(self) -> str:
        """The program and its version."""
        raise NotImplementedError

    @property
    def level(self) -> Level | str:
        """How deep it looks. A `Level` of tiers takes `also` in `cube_analysis`; a text does not."""
        raise NotImplementedError

    def candidates(
        self, state: MatchState, limit: int, *, also: Sequence[Position] = ()
    ) -> Sequence[Candidate]:
        """The best plays of a roll, best first, and those that lead to the positions `also`."""
        raise NotImplementedError

    def cube_analysis(self, state: MatchState) -> CubeAnalysis:
        """The equities of doubling, where a player may double."""
        raise NotImplementedError

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        """The equity of each of the 21 rolls, played well, for the player who may roll."""
        raise NotImplementedError


def analyze(
    match: Match,
    engine: Analyzer,
    *,
    only: Only | None = None,
    cache: Cache | None = None,
    progress: ProgressCallback | None = None,
) -> Match:
    r"""Have an engine analyze every decision of a match.

    - A play gets the ten best plays and the one that was made, best first, and the luck of its roll: the equity of the
      roll, played well, less the mean of all rolls. A forced play gets its luck alone.
    - A decision to double or to roll, wherever the rules allow a double, gets the equities of both; a take or a drop
      has the analysis of the double that it answers.
    - A resignation after a roll gets the luck of that roll.
    - Beavers and their answers, other resignations and answers to resignations get none, nor does a decision that the
      engine does not know, as with a limit of the cube that is near; `progress` is told the reason.
    - If the engine ignores a rule (`SimpleEngine.ignored_rule`), the tag `IgnoredRule` names the rule.
    - Where a game goes on at the end of its record, the next decision is analyzed too (`Game.pending`), but not where
      the rest of the record could not be replayed (`Game.cut`).

    GNU Backgammon analyzes each game by itself (`SimpleEngine.analyze_sgf`), so the numbers are those of its own
    analysis, and it takes as long. It is asked for what its file lacks, such as the decision to roll before a
    resignation or before a play that was illegal, and for all games that it does not analyze so.

    What comes up again, as after the opening roll, is asked only once.

    Args:
        match: the record. Analyses that it has are replaced, also by none.
        engine: a `SimpleEngine`, or another `Analyzer`.
        only: which decisions are analyzed, such as `needs_rollout`; the others keep the analyses that they have, and
            so do those that the engine does not know. A double and its answer share one: if one of them is analyzed,
            both are. None (the default) for all of them.
        cache: a dict, at first empty, for what the engine says. Pass the same one with further matches, and what has
            come up in a match before is not asked again. It gets some 100 entries a game.
        progress: is called after each decision with the state before it, and with the reason if the engine does not
            know it, else None.

    Returns:
        The match with these analyses. It is equal to `match`, since analyses do not count in comparisons.

    Raises:
        ArgumentError: `match` is not a `Match`, or `engine` gives no numbers: a `Policy` or a bot only decides, and an
            `Engine` is awaited.
        GammonError: an event breaks the rules. Games that `records` has read hold no such events.
        EngineError: the engine failed; see its subclasses.

    Examples:
        >>> from gammonrules.engine import SimpleEngine
        >>> from gammonrules.records import analyze, loads
        >>> text = "5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3"
        >>> with SimpleEngine.bgsage() as bgsage:
        ...     match = analyze(loads(text), bgsage)
        >>> play = next(match.decisions())
        >>> play.best, play.error > 0.1, play.luck > 0.1
        ('8/5 6/5', True, True)
    """
    check_kind("match", match, Match)
    _check_engine(engine)
    questions = _Questions(
        engine,
        level=_level_stated_by(engine),
        cache={} if cache is None else cache,
        progress=progress or (lambda _state, _why: None),
    )
    games = tuple(_game_with_analyses(game, questions, only) for game in match.games)
    tags = list(match.tags)
    if only is None:  # the old tag speaks of analyses that are all replaced
        tags = [(name, value) for name, value in match.tags if name != IGNORED_RULE]
    for rule in sorted(questions.ignored_rules):
        if (IGNORED_RULE, rule) not in tags:
            tags.append((IGNORED_RULE, rule))
    return attrs.evolve(match, games=games, tags=tuple(tags))


def _check_engine(engine: Analyzer) -> None:
    """Raise ArgumentError for what gives no numbers, and for what does not answer at once."""
    needed = ("name", "level", "candidates", "cube_analysis", "roll_equities")
    lacking = [name for name in needed if not hasattr(engine, name)]
    if lacking:  # of which one says enough
        way_out = "analyze takes a SimpleEngine or another Analyzer, and what only decides, as a bot does, is none"
        raise ArgumentError(f"engine: {shown(engine, 60)} has no {lacking[-1]}: {way_out}")
    if iscoroutinefunction(engine.candidates):
        raise ArgumentError(
            f"engine: {shown(engine, 60)} answers async programs: analyze takes a SimpleEngine"
        )


def _level_stated_by(engine: Analyzer) -> Level:
    """The level of an engine. A text never means tiers, which are asked more than an `Analyzer` need answer."""
    level = engine.level
    check_kind("engine.level", level, Level | str)
    if isinstance(level, Level):
        return level
    return Level(level, is_rollout=Level.read(level).is_rollout)


def _game_with_analyses(game: Game, questions: _Questions, only: Only | None) -> Game:
    """A game with the analyses of all decisions, or with other ones of those that `only` chooses."""
    decisions = [*game.decisions()]
    actions = {decision.index: decision.action for decision in decisions}
    if only is None:
        questions.whole_game(game)
        chosen = set(actions)
    else:
        chosen = {decision.index for decision in decisions if only(decision)}
    analyses: list[Analysis | EncodedAnalysis | None] = [None] * len(game.events)
    for decision in decisions:
        index = decision.index
        # a double and its answer share an analysis: if one of them is chosen, both are
        is_chosen = index in chosen or _index_of_shared(decision) in chosen
        new = _new_analysis(decision, game, actions, questions) if is_chosen else None
        analyses[index] = new
        if new is None and only is not None:
            analyses[index] = decision.stored  # it stays as it was
    pending = _pending(game, questions) if only is None else game.pending_analysis
    return attrs.evolve(game, analyses=tuple(analyses), pending_analysis=pending)


def _index_of_shared(decision: Decision) -> int:
    """The index of the decision that shares an analysis with this one; its own without another."""
    return decision.index + _SHARED.get(decision.action, 0)


def _new_analysis(
    decision: Decision, game: Game, actions: Mapping[int, str], questions: _Questions
) -> Analysis | None:
    """The analysis of a decision by the engine; `actions` are those of all decisions, by their index."""
    state = decision.state
    index = decision.index
    if decision.kind is DecisionKind.PLAY:
        return questions.play(state, decision.after.position, opens=_opens(game, index))
    if decision.kind is DecisionKind.RESIGN:
        # if it is declined, the roll gets its luck with the play that follows
        is_accepted = actions.get(index + 1) == "accept"
        if state.phase is Phase.TO_PLAY and is_accepted:
            return questions.luck_alone(state, opens=_opens(game, index))
        return None
    if decision.kind not in _OF_DOUBLES or decision.event.action is Action.BEAVER:
        return None
    if not is_of_double(state):
        return None
    made = {Action(decision.action)}  # by both players
    shared = _index_of_shared(decision)
    if shared in actions:  # a record may end before the answer to a double
        made.add(Action(actions[shared]))
    return questions.cube_analysis(state, frozenset(made))


def _opens(game: Game, index: int) -> bool:
    """Whether the event before this index is the opening roll."""
    before = game.events[index - 1] if index else None
    return isinstance(before, Event) and before.action is Action.OPENING_ROLL


def _pending(game: Game, questions: _Questions) -> Analysis | None:
    if game.cut:
        return None
    state = game.final()
    if state.phase is Phase.TO_PLAY:
        return questions.play(state, None, opens=_opens(game, len(game.events)))
    return questions.cube_analysis(state) if is_of_double(state) else None


@frozen
class _Questions:
    """The questions to an engine, whose answers are kept."""

    engine: Analyzer
    level: Level
    cache: Cache
    progress: ProgressCallback
    ignored_rules: set[str] = Factory(set[str])
    """What was left out in some question, which the engine says in words; "" for nothing."""

    def whole_game(self, game: Game) -> None:
        """Have the engine analyze a game by itself, if it can. What its file lacks, it is asked later.

        What the file says of a decision is kept, as if the engine had been asked about the state.
        """
        analyze_sgf = getattr(self.engine, "analyze_sgf", None)
        if analyze_sgf is None:
            return
        # without what says nothing to the engine, so that the same moves have the same key
        bare_game = attrs.evolve(
            game, number=1, comments=(), stated=None, analyses=(), notes=(), pending_analysis=None
        )
        sgf = write_sgf(Match(("", ""), game.start.length, (bare_game,)), [[*game.states()]])
        key_of_game = self.engine.name, self.level, sgf
        if key_of_game in self.cache:
            return
        with suppress(EngineUnsupportedError):
            analyzed = read(analyze_sgf(game.start, sgf), "sgf").games[0]
            self.cache[key_of_game] = True  # what it says has keys of its own, those of questions
            rules = game.start.rules  # those of the file are only what SGF can say of them
            for decision in analyzed.decisions():
                opens = _opens(analyzed, decision.index)
                self._keep(decision, rules, opens=opens)

    def _keep(self, decision: Decision, rules: Rules, *, opens: bool) -> None:
        """Keep the analysis of a decision in the engine's file under the keys of the questions that it answers."""
        state = decision.state
        if decision.kind is DecisionKind.RESIGN:
            analysis = decision.play_analysis
            if analysis is not None and analysis.luck is not None:
                self.cache[self._key("luck", state, rules, opens)] = analysis.luck
            return
        stored = decision.stored
        data = stored.data if isinstance(stored, EncodedAnalysis) else None
        if not isinstance(data, PlayProperties):  # it is of a double, not of a play
            cube = decision.cube_analysis
            if cube is not None and cube.level == self.level:
                self.cache[self._key("cube_analysis", state, rules)] = _as_answered(cube, state)
            return
        plays = decode_plays(data, state, MAX_CANDIDATES)
        if plays is None:
            return
        if plays.luck is not None:
            self.cache[self._key("luck", state, rules, opens)] = plays.luck
        if plays.made:
            candidates = _with_chances(plays.candidates, state)
            self.cache[self._key("plays", state, rules, decision.after.position)] = candidates

    def play(
        self, state: MatchState, played: Position | None, *, opens: bool
    ) -> PlayAnalysis | None:
        """The analysis of a play, or of a roll that is still to be played. `opens`: whether it is the opening roll."""
        reasons: list[str] = []  # why something is not known, to which `_ask` adds
        candidates: tuple[Candidate, ...] = ()
        has_choice = len(state.legal_plays) > 1
        if has_choice:
            candidates = self._candidates(state, played, reasons)
        positions = [candidate.position for candidate in candidates]
        made = positions.index(played) if played in positions else None
        luck = self._ask(lambda: self._luck(state, opens=opens), reasons)
        self.progress(state, reasons[0] if reasons else None)
        if not candidates and luck is None:
            return None
        return PlayAnalysis(candidates, made, luck, engine=self.engine.name)

    def luck_alone(self, state: MatchState, *, opens: bool) -> PlayAnalysis | None:
        """The luck of a roll after which a player resigned."""
        luck = self._ask(lambda: self._luck(state, opens=opens), [])
        return None if luck is None else PlayAnalysis((), None, luck, engine=self.engine.name)

    def cube_analysis(
        self, state: MatchState, made: frozenset[Action] = frozenset()
    ) -> CubeAnalysis | None:
        """The analysis of a double, or of a state in which it may be made, and what was done."""
        reasons: list[str] = []
        # at tiers, what was done may take a deeper look
        also = {"also": made} if self.level.is_tiers else {}
        before_offer = attrs.evolve(state, offer=None)
        analysis = self._ask(
            lambda: self._once(self.engine.cube_analysis, before_offer, **also), reasons
        )
        self.progress(state, reasons[0] if reasons else None)
        return None if analysis is None else attrs.evolve(analysis, engine=self.engine.name)

    def _ask(self, question: Callable[[], _Answer], reasons: list[str]) -> _Answer | None:
        """The answer to a question; if the engine does not know it, None, and the reason goes to `reasons`."""
        try:
            return question()
        except EngineUnsupportedError as error:
            reasons.append(str(error))
            return None

    def _once(
        self,
        question: Callable[..., _Answer],
        state: MatchState,
        *more: Hashable,
        **named: Hashable,
    ) -> _Answer:
        """The engine's answer, from the cache if it has it; `more` and `named` are further arguments of the question.

        It sees White on roll, and in money play no score.
        """
        key = self._key(question.__name__, state, state.rules, *more, *named.values())
        if key not in self.cache:
            if state.on_roll is Player.BLACK:
                state = state.swap_players()
            if state.length is None:
                state = attrs.evolve(state, score=(0, 0))
            self.cache[key] = question(state, *more, **named)
        ignored_rule_of = getattr(self.engine, "ignored_rule", None)
        rule = None if ignored_rule_of is None else ignored_rule_of(state)
        if rule is not None:
            self.ignored_rules.add(rule)
        answer: _Answer = self.cache[key]
        return answer

    def _key(self, question: str, state: MatchState, rules: Rules, *more: Hashable) -> Hashable:
        """The key of an answer, all that it depends on: not who is White, and in money play not the score."""
        player = _asked_player(state)
        owner = state.cube.owner
        away = state.away
        owns_cube = None if owner is None else owner is player  # None for a centered cube
        score: Hashable = None
        if away is not None:
            score = (away[player], away[player.opponent], state.crawford)
        return (
            self.engine.name,
            self.level,
            question,
            state.position,
            state.dice,
            state.cube.value,
            owns_cube,
            score,
            rules,
            *more,
        )

    def _candidates(
        self, state: MatchState, played: Position | None, reasons: list[str]
    ) -> tuple[Candidate, ...]:
        """The best plays, and the one that was made.

        If it is not among the best, or was not looked at as deeply, that takes a second question. But a rollout is
        asked about all of them at once, since it takes long, and the numbers depend on which plays are compared; and so
        are tiers, which compare plays at one level.
        """
        key = self._key("plays", state, state.rules, played)
        if key in self.cache:  # the engine has said it of the whole game
            known: tuple[Candidate, ...] = self.cache[key]
            return known

        def ask(**also: Hashable) -> Sequence[Candidate]:
            return self._once(self.engine.candidates, state, MAX_CANDIDATES, **also)

        is_asked_at_once = self.level.is_rollout or self.level.is_tiers
        if played is not None and is_asked_at_once:
            return tuple(self._ask(lambda: ask(also=(played,)), reasons) or ())
        candidates = self._ask(ask, reasons) or ()
        if candidates and played is not None:
            as_deep = [play.position for play in candidates if play.level == candidates[0].level]
            if played not in as_deep:
                candidates = ask(also=(played,))
        return tuple(candidates)

    def _luck(self, state: MatchState, *, opens: bool) -> float:
        """The luck of the dice. Before the opening roll, either player may be on roll, with no doublet."""
        key = self._key("luck", state, state.rules, opens)
        if key in self.cache:  # the engine has said it of the whole game
            known: float = self.cache[key]
            return known
        dice = state.dice
        assert dice is not None  # luck is that of a roll
        before = attrs.evolve(state, dice=None)
        rolls = self._once(self.engine.roll_equities, before)
        is_opening_roll = opens and not dice.is_doublet
        if not is_opening_roll:
            mean = sum(roll.weight * equity for roll, equity in rolls.items()) / _ROLLS_OF_TWO_DICE
            return rolls[dice] - mean
        opponent = _asked_player(before).opponent
        opponent_on_roll = attrs.evolve(before, on_roll=opponent, position=before.position.flip())
        mean_if_player_begins = _mean_of_openings(rolls)
        opponent_rolls = self._once(self.engine.roll_equities, opponent_on_roll)
        mean_if_opponent_begins = _mean_of_openings(opponent_rolls)
        # either begins as often, and what is good for the opponent is bad for the player
        mean = (mean_if_player_begins - mean_if_opponent_begins) / 2
        return rolls[dice] - mean


def _asked_player(state: MatchState) -> Player:
    assert state.on_roll is not None  # nobody is asked about an opening roll
    return state.on_roll


def _mean_of_openings(rolls: Mapping[Dice, float]) -> float:
    return sum(equity for roll, equity in rolls.items() if not roll.is_doublet) / _OPENINGS


def _as_answered(analysis: CubeAnalysis, state: MatchState) -> CubeAnalysis:
    """A file's analysis of a double, as the engine gives it when it is asked: without what it says of a take alone.

    A drop then has the chance of winning the match by the match equity table.
    """
    mwc = None
    if analysis.mwc is not None:
        no_double, double_take, _ = analysis.mwc
        double_drop = KAZAROSS_XG2.chance_after(state, _asked_player(state), state.cube.value)
        mwc = (no_double, double_take, double_drop)
    return attrs.evolve(analysis, chances_double_take=None, mwc=mwc)


def _with_chances(plays: tuple[Candidate, ...], state: MatchState) -> tuple[Candidate, ...]:
    """Plays with the chances of winning the match that their equities stand for: a straight line through 0 and 1."""
    mwc_of_zero = KAZAROSS_XG2.to_chance(0, state)
    mwc_of_one = KAZAROSS_XG2.to_chance(1, state)
    if mwc_of_zero is None or mwc_of_one is None:
        return plays
    candidates: list[Candidate] = []
    for play in plays:
        equity = play.equity or 0
        mwc = mwc_of_zero + equity * (mwc_of_one - mwc_of_zero)
        mwc = min(1.0, max(0.0, mwc))
        candidates.append(attrs.evolve(play, standard_error=None, mwc=mwc))
    return tuple(candidates)
