"""`Match` and `Game`: a record as values, whatever its file format."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import reduce
from hashlib import blake2b
from itertools import chain, pairwise
from typing import Annotated, Any, Final, NamedTuple, cast

from attrs import evolve, field, fields, frozen

from gammonrules._shared.checked_fields import Bounds, Checked, check_kind, wrong_fields
from gammonrules._shared.json_form import JsonField
from gammonrules.analysis import Analysis, Level
from gammonrules.analysis.internals import EncodedAnalysis, Panel, decoded
from gammonrules.board.internals import Maker, board_in, flip
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.match import Action, Event, MatchState, Pair, Player, RecordEvent, Result
from gammonrules.match.internals import (
    add_points,
    canonical_event,
    recorded,
    to_pair,
    to_player_or_none,
)
from gammonrules.records.transcript.decisions import Decision, DecisionKind, done_words
from gammonrules.records.transcript.findings import Finding, Severity
from gammonrules.records.transcript.game_decisions import decisions_of
from gammonrules.records.transcript.header_tags import (
    date_of,
    length_played,
    other_tags,
    ratings_of,
    time_of,
    value_of,
)
from gammonrules.records.transcript.luck import GameToRate
from gammonrules.records.transcript.statistics import ErrorRate, rated, rates_in
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.values import counted, printable, refuse, saying_where, shown


@frozen
class RecordedResult(JsonField):
    """The end of a game as the file states it. The referee compares it with what was played.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        winner: the winner, or None if the file does not say.
        points: the points won, or None if the file does not say.
        and_the_match: whether the file says that this wins the match.
        text: the words in the file.
        row: the number of their row, or None.
        line: their line in the file, counted from 1, or None.

    Raises:
        ArgumentError: attributes have the wrong type; the message names all of them.

    Examples:
        >>> stated = RecordedResult(Player.WHITE, 2, text="Wins 2 points")
        >>> stated.winner, stated.points, stated.and_the_match
        (Player.WHITE, 2, False)
    """

    winner: Player | None = field(converter=to_player_or_none)
    points: int | None
    and_the_match: bool = False
    text: str = ""
    row: int | None = None
    line: Annotated[int, Bounds(1)] | None = None

    def __attrs_post_init__(self) -> None:
        refuse("statement of the end", wrong_fields(self))


@frozen(repr=False)
class Game(Checked, JsonField):
    """One game of a record.

    *Equality*: two games are equal if number, start, events and comments are equal. What the file states about the end,
    its rows and lines, analyses and notes do not count, so that the same game in two formats is equal. Events are
    compared as they are: one that names its player differs from one that does not, and a play as text differs from a
    `Play`.

    Attributes:
        number: the number of the game as the record states it, else counted from 1. A record may begin with any number,
            leave some out or repeat one.
        start: the state before the first event, usually before the opening roll.
        events: what happened, in order. In records that were read or made from a log, events name their players, and
            plays are canonical text.
        comments: remarks in the record; `()` if there are none.
        stated: the end as the file states it, or None.
        rows: the row number of each event; `()` if the file has none.
        line: the line of the file on which the game begins: its score line, if it has one; None if not from a file.
        lines: the line of each event; `()` if the game was not read from a file.
        cut: whether the record goes on after these events with something that could not be replayed.
        analyses: the analysis of the decision that each event makes, or None; `()` if there are none. They may still be
            encoded: `decisions` decodes them.
        notes: the remark about each event, or None; `()` if there are none.
        pending_analysis: the analysis of the decision to be made after the last event, or None; a file that asks about
            a position has one.

    A game that is made in a program, or read by `json.loads`, may contain events that break the rules: `referee` finds
    them.

    Raises:
        ArgumentError: attributes have the wrong type, the start is of a game that is over, or an event begins another
            game; the message names all problems.

    Examples:
        >>> events = (
        ...     Event("opening_roll", argument=(3, 1)),
        ...     Event("play", Player.WHITE, "8/5 6/5"),
        ...     Event("resign", Player.BLACK, 2),
        ...     Event("accept", Player.WHITE),
        ... )
        >>> game = Game(3, MatchState.new(7, score=(2, 4)), events)
        >>> [str(state.on_roll) for state in game.states()]
        ['None', 'white', 'black', 'black', 'black']
        >>> game.score, game.winner, game.result.points
        ((2, 4), Player.WHITE, 2)
        >>> game.final().result == game.result
        True
        >>> for decision in game.decisions():
        ...     print(decision.turn, decision.player, decision.kind, decision.action)
        1 white play 8/5 6/5
        2 black resign gammon
        2 white resign_answer accept
    """

    number: int
    start: MatchState
    events: tuple[RecordEvent, ...] = ()
    comments: tuple[str, ...] = ()
    stated: RecordedResult | None = field(default=None, eq=False)
    rows: tuple[int | None, ...] = field(default=(), eq=False)
    line: Annotated[int, Bounds(1)] | None = field(default=None, eq=False, kw_only=True)
    lines: tuple[Annotated[int, Bounds(1)] | None, ...] = field(default=(), eq=False, kw_only=True)
    cut: bool = field(default=False, eq=False)
    analyses: tuple[Analysis | EncodedAnalysis | None, ...] = field(
        default=(), eq=False, kw_only=True
    )
    notes: tuple[str | None, ...] = field(default=(), eq=False, kw_only=True)
    pending_analysis: Analysis | EncodedAnalysis | None = field(
        default=None, eq=False, kw_only=True
    )
    _states: tuple[MatchState, ...] | None = field(default=None, init=False, eq=False)

    def _problems(self) -> Iterator[str]:
        yield from wrong_fields(self)
        if isinstance(self.start, MatchState) and self.start.result is not None:
            yield "start is a game that is already over"
        if type(self.events) is tuple and any(map(_begins_a_game, self.events)):
            yield "next_game is not an event of a game: the next game is a separate Game"

    def __repr__(self) -> str:
        score = dashed(self.score)
        length = self.start.length
        events = counted(len(self.events), "event")
        play = "money play" if length is None else f"to {length}"
        result = self.result
        end = ""
        if result is not None:
            points = counted(result.points, "point")
            end = f", {result.winner.title()} wins {points}"
        return f"<Game {self.number} at {score}, {play}, {events}{end}>"

    def _repr_html_(self) -> str:
        remarks = [repr(self).strip("<>")]
        decisions: list[Decision] = []
        try:
            decisions.extend(self.decisions())
        except GammonError as error:  # the decisions before it are in the list already
            remarks.append(str(error))
        head = ["", *map(str.title, Player)]
        rows = _rows_of_decisions(decisions)
        return Panel("", head=head, rows=rows, chosen=[], remarks=remarks).to_html()

    @property
    def score(self) -> Pair[int]:
        """The points of White and Black before the game."""
        return self.start.score

    def states(self) -> Iterator[MatchState]:
        """The start, then the state after each event.

        Raises:
            GammonError: an event breaks the rules; it is the error that the action raises. Games that `records` has
                read hold no such events; those of a log, or that `json.loads` has read, may.
        """
        if self._states is not None:
            yield from self._states
            return
        state = self.start
        yield state
        for event in self.events:
            state = state.apply(event)
            yield state

    def final(self) -> MatchState:
        """The state after the last event.

        Raises:
            GammonError: as for `states`.
        """
        if self._states:
            return self._states[-1]
        return reduce(MatchState.apply, self.events, self.start)

    def decisions(self) -> Iterator[Decision]:
        """Each decision made in the game, in order, with the state before it and what is known about it.

        Raises:
            GammonError: as for `states`.
        """
        return decisions_of(self, canonical=self._states is not None)  # as readers make them

    @property
    def result(self) -> Result | None:
        """The result of the game; None while it goes on, or if one of its events breaks the rules."""
        with suppress(GammonError):
            return self.final().result
        return None

    @property
    def winner(self) -> Player | None:
        """The winner of the game; None if it has no `result`."""
        return None if self.result is None else self.result.winner

    @property
    def fingerprint(self) -> str | None:
        """32 hexadecimal digits that are the same for the same game in another file; None if nothing was played.

        They are made like `Match.fingerprint`, from the dice and positions of this game and the score before it, but
        not from the length of the match. Games of few plays may be equal by chance, so `scan` and reports compare more.

        Raises:
            GammonError: as for `states`.

        Examples:
            >>> from gammonrules.records import load
            >>> folder = "tests/data/analysis/gnubg"
            >>> text = load(f"{folder}/match7662222_1ply_003.txt")    # one game
            >>> sgf = load(f"{folder}/match7662222_1ply.sgf")         # all games
            >>> text.games[0].fingerprint == sgf.games[2].fingerprint
            True
        """
        return _fingerprint(self, _first_roller_of(self), b"".join(_played_boards(self)))

    @property
    def pending(self) -> Analysis | None:
        """`pending_analysis`, decoded: the analysis of the decision to be made after the last event, or None.

        Raises:
            GammonError: an event breaks the rules.

        Examples:
            >>> from gammonrules.records import load
            >>> match = load("tests/data/analysis/xg-text/money_no-redouble.txt")
            >>> match.games[0].pending.no_double
            0.172
        """
        if self.pending_analysis is None:
            return None
        return decoded(self.pending_analysis, self.final())

    def error_rates(
        self,
        rule: str = "xg",
        *,
        analyzed_by: str | None = None,
        analysis_level: Level | str | None = None,
    ) -> Pair[ErrorRate]:
        """What White and Black lost by mistakes and won by luck in this game: `Match.error_rates` of one game.

        Args:
            rule: "xg" or "gnubg".
            analyzed_by: which engine's analyses, by the beginning of its name, or "gnubg"; needed if there are those of
                two.
            analysis_level: as for `Match.error_rates`.

        Raises:
            ArgumentError: as by `Match.error_rates`.
            GammonError: as for `states`.

        Examples:
            >>> from gammonrules.records import load
            >>> game = load("examples/matches/xg/test.xg").games[0]
            >>> [(rate.decisions, round(rate.error, 3)) for rate in game.error_rates()]
            [(20, 0.27), (14, 0.56)]
        """
        return rated(
            games_to_rate([self]), rule=rule, analyzed_by=analyzed_by, analysis_level=analysis_level
        ).rates


def _rows_of_decisions(decisions: Iterable[Decision]) -> list[list[str]]:
    """A row for each pair of actions: its number, and what White and Black did, with the costs."""
    rows: list[list[str]] = []
    missed_double = ""
    for decision in decisions:
        words = words_with_cost(decision)
        if decision.action == "roll":
            # it is shown only if it cost something, before the play that follows it
            missed_double = f"{words}, " if _shown_cost(decision) else ""
            continue
        column = 2 if decision.player is Player.BLACK else 1
        # Black's action stands beside White's, and White's next one below it
        if not rows or any(rows[-1][column:]):
            number = len(rows) + 1
            rows.append([str(number), "", ""])
        rows[-1][column] = missed_double + words
        missed_double = ""
    return rows


def words_with_cost(decision: Decision) -> str:
    """The words for what was done, and in brackets what it cost, if anything."""
    words = done_words(decision)
    if decision.kind is DecisionKind.PLAY:
        words = f"{decision.dice}: {words}"
    elif decision.kind is DecisionKind.RESIGN:
        words = f"resign: {words}"
    cost = _shown_cost(decision)
    return f"{words} ({cost})" if cost else words


def _shown_cost(decision: Decision) -> str:
    """The cost of a decision in three decimals; empty if these are zeros, or if it is not known."""
    cost = f"{decision.error or 0:.3f}"
    return "" if float(cost) == 0 else cost


_GAME_FIELDS: Final = tuple(attribute.name for attribute in fields(Game))
_make_game = Maker(Game, *_GAME_FIELDS).make


def make_game(**values: object) -> Game:
    """A game that a reader has replayed, with the states that it went through; none of it is checked again."""
    return _make_game(*[values[name] for name in _GAME_FIELDS])


def known_game(game: Game, states: tuple[MatchState, ...]) -> Game:
    """The same game with the states that its reader went through: nobody replays it. `attrs.evolve` forgets them."""
    object.__setattr__(game, "_states", states)
    return game


def knows_states(game: Game) -> bool:
    """Whether a reader has made this game, so that its events are legal and its plays canonical text."""
    return game._states is not None  # noqa: SLF001 - the states are no field that others see


_OF_EVENTS: Final = ("events", "rows", "lines", "analyses", "notes")
"""The fields of a game that have an item for each event."""


def beginning_of(game: Game, count: int, **changes: Any) -> Game:
    """The game up to so many events, with all that is said of them, and nothing that is said of later ones."""
    parts = {name: getattr(game, name)[:count] for name in _OF_EVENTS}
    return evolve(game, pending_analysis=None, **parts, **changes)


def with_decoded(game: Game, states: tuple[MatchState, ...]) -> Game:
    """The same game with its states, and its analyses decoded once for all that is said of them; events are canonical.

    Raises GammonError if an event breaks the rules.
    """
    events = game.events
    if not knows_states(game):
        events = tuple(map(canonical_event, states, events, states[1:]))
    analyses = tuple(map(decoded, game.analyses, states))
    return known_game(evolve(game, events=events, analyses=analyses), states)


def _names(players: tuple[str, str]) -> Pair[str]:
    return to_pair(players)


def _optional(rules: Rules | None) -> Rules:
    """Rules that may be left out."""
    return cast("Rules", rules)  # if they are, `__attrs_post_init__` sets them


@frozen(repr=False)
class Match(JsonField):
    """A record of a match or of a money session.

    *Equality*: two matches are equal if players, length, rules, games, tags and comments are equal. Tags that only
    state rules count as those rules; one about analyses, `IgnoredRule`, does not count, nor do the order of tags, the
    format, and the findings of the reader.

    Attributes:
        players: the names of White (the left column) and Black.
        length: the points that win the match, or None for money play. It is what the file states: 16 for a coin game.
        games: the games in order.
        rules: the rules of all games. By default, those of the first game, or without games,
            `TOURNAMENT` for a match and `MONEY` for money play.
        tags: name and value of each tag in the header, in order; `()` if there are none.
        comments: remarks in the header; `()` if there are none.
        format: the format that the record was read from.
        findings: what the reader noticed. `referee` adds what the events show.
        stated_rolls: how many rolls the file has, including those that were not replayed; None if all were.

    Raises:
        ArgumentError: attributes have the wrong type, or the length or rules of a game differ from the match's; the
            message names up to ten problems.

    Examples:
        >>> tags = (
        ...     ("Site", "Helsinki"),
        ...     ("Event", "Nordic Open"),
        ...     ("Round", "Final"),
        ...     ("EventDate", "2024.07.27"),
        ...     ("EventTime", "19.44"),
        ...     ("Player 1 Elo", "1600.00/0"),
        ... )
        >>> opening = Event("opening_roll", argument=(3, 1))
        >>> stated = RecordedResult(Player.WHITE, 2)  # the end in the file
        >>> game = Game(1, MatchState.new(7, score=(5, 4)), (opening,), stated=stated)
        >>> match = Match(("Ann", "Bob"), 7, (game,), tags=tags)
        >>> match.players[Player.BLACK], match.score, match.winner, match.rolls
        ('Bob', (7, 4), Player.WHITE, 1)
        >>> match.site, match.event, match.round, match.ratings
        ('Helsinki', 'Nordic Open', 'Final', (1600.0, None))
        >>> str(match.date), str(match.time)
        ('2024-07-27', '19:44:00')
    """

    players: Annotated[Pair[str], "a pair of names, White's and Black's"] = field(converter=_names)
    length: Annotated[int, Bounds(1)] | None
    games: tuple[Game, ...] = ()
    rules: Rules = field(default=None, converter=_optional)
    tags: Annotated[tuple[tuple[str, str], ...], "a tuple of pairs of strings"] = field(
        default=(), eq=other_tags
    )
    comments: tuple[str, ...] = ()
    format: str = field(default="mat", eq=False)
    findings: tuple[Finding, ...] = field(default=(), eq=False)
    stated_rolls: Annotated[int, Bounds(0)] | None = field(default=None, eq=False)

    def __attrs_post_init__(self) -> None:
        if cast("object", self.rules) is None:  # left out, which the type of the field does not say
            object.__setattr__(self, "rules", _rules_played(self))
        refuse("match", _problems_of_match(self))

    @classmethod
    def from_events(
        cls, players: tuple[str, str], start: MatchState, events: Iterable[RecordEvent]
    ) -> Match:
        """Make a record from a server's log of one match, which a `next_game` divides into games.

        The games are numbered from 1. The last one may be unfinished.

        Args:
            players: the names of White and Black.
            start: the state before the first event.
            events: what happened, in order. The games keep them in canonical form (`MatchState.canonical`), as games
                that were read do; each `next_game` becomes the start of a `Game`.

        Raises:
            ArgumentError: `players`, `start` or `events` has the wrong type, or `start` is of a game that is over.
            GammonError: an event breaks the rules. It is the error that `MatchState.apply` raises, such as an
                `IllegalActionError` with its `reason`, and the message begins with the number of the event in the log.

        Examples:
            >>> given_up = (
            ...     Event("opening_roll", argument=(3, 1)),
            ...     Event("resign", Player.BLACK),
            ...     Event("accept"),
            ... )
            >>> log = [*given_up, Event("next_game"), *given_up]
            >>> match = Match.from_events(("Ann", "Bob"), MatchState.new(3), log)
            >>> [(game.number, game.score, len(game.events)) for game in match.games]
            [(1, (0, 0), 3), (2, (1, 0), 3)]
            >>> match.score
            (2, 0)
        """
        check_kind("start", start, MatchState)
        if not isinstance(cast("object", events), Iterable):  # callers may pass anything
            raise ArgumentError(
                f"a log must be a series of Event, SetPosition and Forfeit, not {shown(events, 60)}"
            )
        return cls(players, start.length, tuple(_games_of(start, events)))

    @property
    def rolls(self) -> int:
        """The number of rolls in the record."""
        if self.stated_rolls is not None:
            return self.stated_rolls
        return sum(map(rolls_in, self.games))

    @property
    def is_coin_game(self) -> bool:
        """Whether this is a "coin game" of BackgammonGalaxy: one game of money play, written as a match to 16.

        The length of the record stays 16. The states of its only game, which starts at 0-0, are those of money play.

        Examples:
            >>> game = Game(1, MatchState.new(None), stated=RecordedResult(Player.BLACK, 1))
            >>> tags = (("Site", "BackgammonGalaxy"),)
            >>> Match(("Ann", "Bob"), 16, (game,), tags=tags).is_coin_game
            True
        """
        return length_of_games(self) != self.length

    @property
    def score(self) -> Pair[int]:
        """The points of White and Black after the last game, not capped at the match length.

        A game without a result counts the points that the file states.
        """
        return score_after(self.games[-1]) if self.games else Pair((0, 0))

    @property
    def winner(self) -> Player | None:
        """The winner of the match; None while it goes on, and in money play, which includes coin games."""
        if self.length is None or self.is_coin_game:
            return None
        score = self.score
        for player in Player:
            if score[player] >= self.length:
                return player
        return None

    def decisions(self) -> Iterator[Decision]:
        """Each decision made in the match, in order, with the state before it and what is known about it.

        `Decision.game` is `Game.number`. A position in which nobody has decided anything yet has none; `Game.pending`
        is its analysis.

        Raises:
            GammonError: an event breaks the rules. Games that `records` has read hold no such events.

        Examples:
            >>> opening = (
            ...     Event("opening_roll", argument=(3, 1)),
            ...     Event("play", argument="8/5 6/5"),
            ... )
            >>> game = Game(1, MatchState.new(7), opening)
            >>> match = Match(("Ann", "Bob"), 7, (game,))
            >>> [decision.action for decision in match.decisions()]
            ['8/5 6/5']
        """
        for game in self.games:
            yield from game.decisions()

    def error_rates(
        self,
        rule: str = "xg",
        *,
        analyzed_by: str | None = None,
        analysis_level: Level | str | None = None,
    ) -> Pair[ErrorRate]:
        """What White and Black lost by mistakes and won by luck, according to the analysis in the record.

        Which decisions count is a matter of custom. By the rule "xg", as in the statistics of eXtreme Gammon, these do:
        plays where there is a choice, so not if all that are listed are worth the same to 0.0001, or if the program
        itself sees none; doubles, takes and drops; and rolls, if a double was right, or would have lost less than 0.2.
        By the rule "gnubg", as in `show statistics` of GNU Backgammon: all plays that were not forced; doubles, takes
        and drops; and rolls, if a double was right, or would have lost less than 0.16.

        Args:
            rule: "xg" or "gnubg".
            analyzed_by: which engine's analyses, by the beginning of its name, or "gnubg"; needed if there are those of
                two.
            analysis_level: the level at which it looked at the best play; needed if it was set to two levels. It is not
                needed for eXtreme Gammon, whose levels stand side by side, nor for rollouts.

        Returns:
            White's and Black's. Without analyses, `decisions` is 0, and `rate` and `luck` are None.

        Raises:
            ArgumentError: the rule is unknown; two engines, or two levels asked of one, stand in the record, which
                the message names; or there are analyses, but none of that engine or level.
            GammonError: an event breaks the rules. Games that `records` has read hold no such events.

        Examples:
            >>> from gammonrules.records import load
            >>> match = load("tests/data/analysis/gnubg/match7662222_1ply.sgf")
            >>> for name, rate in zip(match.players, match.error_rates("gnubg")):
            ...     print(f"{name}: {rate.rate:.1f} by {rate.engine}, {rate.levels_text}")
            lasse: 15.9 by GNU Backgammon 1.07.001, 1-ply
            the_boys: 14.9 by GNU Backgammon 1.07.001, 1-ply
        """
        return rates_in(
            games_to_rate(self.games),
            rule=rule,
            analyzed_by=analyzed_by,
            analysis_level=analysis_level,
        )

    @property
    def fingerprint(self) -> str | None:
        """32 hexadecimal digits that are the same for the same match in another file; None if nothing was played.

        They are made from the length, and from the dice and the resulting position of each play that moves a checker.
        Names, dates, cubes and results do not count, nor do the order of the dice, rolls without a play, or who sits
        where: positions are as the player on roll sees them. So a match has the same fingerprint in every format, and
        with the players exchanged.

        Raises:
            GammonError: an event breaks the rules. Games that `records` has read hold no such events.

        Examples:
            >>> from gammonrules.records import load
            >>> load("examples/matches/xg-text/match1.txt").fingerprint
            'ffff9e6c2a45dd524dff1782480072eb'
        """
        return fingerprints_of(self).match

    @property
    def date(self) -> dt.date | None:
        """The day of the match, from the tag "EventDate" or else "Date"; None if it is missing or not certain.

        A date is certain if it can only be read in one way, as "2024.07.06" or "16/09/2023". Where the rest of a file
        decides, as the language of GNU Backgammon's texts does, its reader adds the tag "EventDate".
        """
        return date_of(self.tags)

    @property
    def time(self) -> dt.time | None:
        """The time of day at which the match began, from the tag "EventTime"; None if it is missing or unclear."""
        return time_of(self.tags)

    @property
    def site(self) -> str | None:
        """Where the match was played, from the tag "Site"; None if it is missing."""
        return value_of(self.tags, "Site")

    @property
    def event(self) -> str | None:
        """The tournament, from the tag "Event"; None if it is missing."""
        return value_of(self.tags, "Event")

    @property
    def round(self) -> str | None:
        """The round of the tournament, from the tag "Round"; None if it is missing."""
        return value_of(self.tags, "Round")

    @property
    def ratings(self) -> Pair[float | None]:
        """The ratings of White and Black, from the tags "Player 1 Elo" and "Player 2 Elo"; None if missing or unclear.

        They are the numbers in the file, on whatever scale its program uses. If the tags "Player 1" and "Player 2" name
        the players in the other order, as those of eXtreme Gammon do, the ratings are in that order too.
        """
        return ratings_of(self.tags, self.players)

    def __repr__(self) -> str:
        return f"<Match {title_of(self)}>"

    def _repr_html_(self) -> str:
        from gammonrules.records.page import cell_of  # noqa: PLC0415 - drawings are loaded when used

        return cell_of(self)


_MAX_NAME_LENGTH = 40


def brief_name(name: str) -> str:
    """A name that is cut and has nothing in it that would break a line."""
    return printable(name[:_MAX_NAME_LENGTH]).strip()


def _games_of(start: MatchState, events: Iterable[RecordEvent]) -> Iterator[Game]:
    """The games of a log. At an event that the rules forbid, raises the error of `apply`, with its number."""
    number = 1
    states = [start]  # those of the game that goes on, and what was played in it
    played: list[RecordEvent] = []
    for line, event in enumerate(events, start=1):
        with saying_where(f"event {line} of the log"):
            canonical, state = recorded(states[-1], event)
        if _begins_a_game(event):
            yield _game_played(number, played, states)
            number += 1
            states = [state]
            played = []
        else:
            states.append(state)
            played.append(canonical)
    yield _game_played(number, played, states)


def _game_played(number: int, events: list[RecordEvent], states: list[MatchState]) -> Game:
    return known_game(Game(number, states[0], tuple(events)), tuple(states))


def title_of(match: Match) -> str:
    """The names of the players with the score, what is played, and how many games there are."""
    white, black = (
        brief_name(name) or player.title()
        for name, player in zip(match.players, Player, strict=True)
    )
    if match.is_coin_game:
        play = "coin game"
    elif match.length is None:
        play = "money play"
    else:
        play = f"to {match.length}"
    games = counted(len(match.games), "game")
    return f"{white} {dashed(match.score)} {black}, {play}, {games}"


def dashed(score: tuple[int, int], limit: int | None = None) -> str:
    """A score as text: "4-2"; for people, at most the length of the match, at which it is won."""
    return "-".join(str(points if limit is None else min(points, limit)) for points in score)


def score_after(game: Game) -> Pair[int]:
    """The score after a game: by its events, else by the points that the file states."""
    won = won_in(game)
    return game.score if won is None else add_points(game.score, won.winner, won.points)


class WonGame(NamedTuple):
    """Who won a game, and how many points."""

    winner: Player
    points: int


def won_in(game: Game) -> WonGame | None:
    """The winner and the points of a game: by its events, else by what the file states; None without both."""
    result = game.result
    if result is not None:
        return WonGame(result.winner, result.points)
    winner = None if game.stated is None else game.stated.winner
    points = points_stated(game)
    if winner is None or points is None:
        return None
    return WonGame(winner, points)


def games_to_rate(games: Iterable[Game]) -> list[GameToRate]:
    """The parts of games that error rates need."""
    return [GameToRate(game.start, list(game.decisions()), won_in(game)) for game in games]


def index_of_last_roll(game: Game) -> int:
    """The index of the last roll among the events of a game; -1 without one."""
    rolls = [index for index, event in enumerate(game.events) if _is_event_of_roll(event)]
    return max(rolls, default=-1)


def rolls_in(game: Game) -> int:
    """The number of rolls among the events of a game."""
    return sum(_is_event_of_roll(event) for event in game.events)


def _is_event_of_roll(event: RecordEvent) -> bool:
    return isinstance(event, Event) and event.action in _ROLLS


_ROLLS = (Action.OPENING_ROLL, Action.ROLL)


def length_of_games(match: Match) -> int | None:
    """The length to which the games of a match are played: None for a coin game, whatever the record states."""
    return match.games[0].start.length if match.games else match.length


def points_stated(game: Game) -> int | None:
    """The points that the file states for the winner, or None; less than one is ignored, since no win gives that."""
    points = None if game.stated is None else game.stated.points
    return None if points is None or points < 1 else points


def cut_games(match: Match) -> Iterator[tuple[int, str]]:
    """The index of each game of which only the beginning could be replayed, and a sentence about it."""
    last_findings: dict[int | None, Finding] = {}
    for finding in match.findings:
        if finding.severity is not Severity.INFO:
            last_findings[finding.game] = finding
    for index, game in enumerate(match.games):
        if not game.cut:
            continue
        words = f"game {game.number} is cut off"
        number = index + 1  # as findings count games
        reason = last_findings.get(number)  # the reading of the game ended there
        if reason is not None and reason.line:
            words += f" at line {reason.line}"
        elif reason is not None and reason.row is not None:
            words += f" in row {reason.row}"
        if reason is not None and reason.text:
            words += f", {shown(reason.text, 60)}"
        yield index, f"{words}: what follows in it does not count"


def why_none(match: Match, unknown: Counter[str]) -> str:
    """Why no decision of a match was analyzed, if there are some, by the reasons that were counted; else ""."""
    is_analyzed = any(game.pending_analysis or any(game.analyses) for game in match.games)
    if is_analyzed or not unknown:
        return ""
    ((reason, _),) = unknown.most_common(1)
    return f"no decision could be analyzed: {reason}"


ROLLS_THAT_TELL_APART: Final = 8
"""Two games that begin with so many equal rolls and plays are the same game."""


@frozen
class Fingerprints:
    """The fingerprints of a match and of its games; None where nothing was played."""

    match: str | None = None
    games: tuple[str | None, ...] = ()
    beginnings: tuple[str | None, ...] = ()
    """Those of the first eight rolls that move a checker, of each game; None if it has fewer."""
    first_rollers: tuple[Player | None, ...] = ()
    """Who rolled first in each game, since a fingerprint does not tell who sat where."""


def fingerprints_of(match: Match) -> Fingerprints:
    """Raises GammonError if an event breaks the rules."""
    boards_of_games = [[*_played_boards(game)] for game in match.games]
    length = 0 if match.length is None else match.length
    games: list[str | None] = []
    beginnings: list[str | None] = []
    first_rollers = tuple(map(_first_roller_of, match.games))
    for game, first_roller, boards in zip(match.games, first_rollers, boards_of_games, strict=True):
        games.append(_fingerprint(game, first_roller, b"".join(boards)))
        beginning: str | None = None
        if len(boards) >= ROLLS_THAT_TELL_APART:
            beginning_boards = b"".join(boards[:ROLLS_THAT_TELL_APART])
            beginning = _fingerprint(game, first_roller, beginning_boards)
        beginnings.append(beginning)
    return Fingerprints(
        _digest(b"%d:" % length, b"".join(chain.from_iterable(boards_of_games))),
        tuple(games),
        tuple(beginnings),
        first_rollers,
    )


def _first_roller_of(game: Game) -> Player | None:
    """None if nobody has rolled."""
    for state in game.states():
        if state.dice is not None and state.on_roll is not None:
            return state.on_roll
    return None


def _fingerprint(game: Game, first_roller: Player | None, played: bytes) -> str | None:
    """The fingerprint of a game, of what was played and of the score as the player sees it who rolls first.

    So it is the same with White and Black exchanged.
    """
    if first_roller is None:
        return None
    score = b"%d-%d:" % (game.score[first_roller], game.score[first_roller.opponent])
    return _digest(score, played)


def _digest(length_or_score: bytes, played: bytes) -> str | None:
    """None if nothing was played."""
    if not played:
        return None
    return blake2b(length_or_score + played, digest_size=16).hexdigest()


def _played_boards(game: Game) -> Iterator[bytes]:
    """The dice and the board after each play that moves a checker; players do not matter, as boards have no colors."""
    for event, (before, after) in zip(game.events, pairwise(game.states()), strict=False):
        if isinstance(event, Event) and event.action is Action.PLAY and before.dice is not None:
            board = board_in(after.position)
            # the opponent is on roll after a play, so the board has been turned round
            is_dance = flip(board) == board_in(before.position)
            if not is_dance:
                yield bytes((before.dice.high, before.dice.low)) + board


def _rules_played(match: Match) -> Rules:
    """The rules of a match that is made without them; wrong games are reported later."""
    games = cast("object", match.games)
    if isinstance(games, tuple) and games and isinstance(games[0], Game):
        return games[0].start.rules
    return MONEY if match.length is None else TOURNAMENT


def _begins_a_game(event: object) -> bool:
    return isinstance(event, Event) and event.action is Action.NEXT_GAME


def _problems_of_match(match: Match) -> Iterator[str]:
    yield from wrong_fields(match)
    if wrong_fields(match, "games", "length", "rules", "tags"):  # then these cannot be compared
        return
    # None in a coin game, which states a length
    played_to = length_played(match.length, [game.score for game in match.games], match.tags)
    for index, game in enumerate(match.games, start=1):
        if game.start.length not in (match.length, played_to):
            yield f"game {index} is {_kind(game.start.length)}, and the record {_kind(match.length)}"
        if game.start.rules != match.rules:
            yield f"game {index} has different rules from the record"


def _kind(length: int | None) -> str:
    return "money play" if length is None else f"of a match to {shown(length)}"
