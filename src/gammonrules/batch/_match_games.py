"""`MatchGames`, the games of matches that were played with a cube."""

from __future__ import annotations

import attrs
import numpy as np

import gammonrules
from gammonrules.batch._checks import Bools, Ints, Rows
from gammonrules.batch._games import Games
from gammonrules.batch._table_rules import Points
from gammonrules.board.setup import StartName  # noqa: F401 - in the annotations of `Games`  # pyright: ignore[reportUnusedImport]
from gammonrules.rules import Rules
from gammonrules.values import counted


@attrs.frozen(eq=False, repr=False, kw_only=True)
class MatchGames(Games):
    """The games of matches, or money games, in order; `play_matches` returns them.

    A `Games` with arrays for the cube and the score, which have a value for each game or each turn. Players are 0
    for White, 1 for Black. `results` has the level that counts: a dropped game is a single one. `final` has
    the board on which a game ended, seen by the side that would roll next. `results_on_roll` and
    `lambda_returns` are in levels, without the cube.

    *Equality*: identity.

    Attributes:
        matches: `(n,) int64`, the number of each game's match, rising.
        of_match: `(n,) int64`, the number of the game in its match, from 0.
        starters: `(n,) int8`, who started the game.
        openings: `(n, 2) int8`, the opening roll: White's die, Black's die.
        ties: `(n, K) int8`, if the rules have automatic doubles, the face of each tied opening roll before it, then 0.
        opening_cubes: `(n,) int32`, the value of the cube after the opening roll.
        scores: `(n, 2) int32`, the points of White (column 0) and Black (1) before the game.
        crawford: `(n,) bool`, whether it was the Crawford game.
        winners: `(n,) int8`, who won it; -1 if it was stopped by `max_turns`.
        won: `(n,) int32`, the points that the winner scored; 0 if it was stopped.
        ends: `(n,) int8`, how it ended: 0 played, 1 dropped (the order of `End`); -1 if it was stopped.
        cubes: `(T,) int32`, the value of the cube at each turn, when the roll was played.
        owners: `(T,) int8`, the owner of the cube then; -1 while it was centered.
        first: 0, the number of the first game in these arrays.
        checkers: how many each side has.
        start: the name of the start.
        length: the points that win a match, or None for money games.
        rules: the options.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import Action, batch
        >>> def choose(turns, rng):
        ...     return turns.random_rows()
        >>> def cube(tables, rng):
        ...     return np.where(tables.may("double"), Action.DOUBLE, Action.TAKE)
        >>> rng = np.random.default_rng(1)
        >>> games = batch.play_matches(10, rng, choose, cube, length=3)
        >>> isinstance(games, batch.MatchGames), games.matches[:4].tolist()
        (True, [0, 1, 2, 3])
        >>> int(games.cubes.max()), bool((games.won >= abs(games.results)).all())
        (4, True)
    """

    matches: Ints
    of_match: Ints
    starters: Rows
    openings: Rows
    ties: Rows
    opening_cubes: Points
    scores: Points
    crawford: Bools
    winners: Rows
    won: Points
    ends: Rows
    cubes: Points
    owners: Rows
    length: int | None
    rules: Rules

    def __repr__(self) -> str:
        games, turns = counted(len(self), "game", ","), counted(len(self.points), "turn", ",")
        number = len(self.last_games)
        return f"<MatchGames: {number:,} match{'es' * (number != 1)}, {games}, {turns}>"

    @property
    def last_games(self) -> Ints:
        """`(m,) int64`: for each of the m matches, the number of its last game, an index into the arrays of games.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> def choose(turns, rng):
            ...     return turns.random_rows()
            >>> rng = np.random.default_rng(1)
            >>> games = batch.play_matches(2, rng, choose, length=1)
            >>> games.last_games.tolist()
            [0, 1]
        """
        return np.flatnonzero(np.diff(self.matches, append=-1))

    @property
    def match_scores(self) -> Points:
        """`(m, 2) int32`: the points of White and Black after each match; in a match to 7, one has at least 7.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> def choose(turns, rng):
            ...     return turns.random_rows()
            >>> rng = np.random.default_rng(1)
            >>> games = batch.play_matches(2, rng, choose, length=1)
            >>> (games.match_scores.max(axis=1) >= 1).tolist()
            [True, True]
        """
        last = self.last_games
        scores = self.scores[last]
        won = np.flatnonzero(self.winners[last] >= 0)
        scores[won, self.winners[last[won]]] += self.won[last[won]]
        return scores

    @property
    def match_winners(self) -> Rows:
        """`(m,) int8`: who won each match, or each money game; -1 if it was stopped.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch
            >>> def choose(turns, rng):
            ...     return turns.random_rows()
            >>> rng = np.random.default_rng(1)
            >>> games = batch.play_matches(100, rng, choose, length=3)
            >>> games.match_winners.shape, set(games.match_winners.tolist())
            ((100,), {0, 1})
        """
        return self.winners[self.last_games]

    def to_matches(self, players: tuple[str, str] = ("White", "Black")) -> list[gammonrules.records.Match]:
        """The matches as records, with their cube actions, which can be written as .mat.

        Every action is checked again by `MatchState`.

        Args:
            players: the names of White and Black in all records.

        Raises:
            ArgumentError: `players` is not a pair of names.

        Examples:
            >>> import numpy as np
            >>> from gammonrules import batch, records
            >>> def choose(turns, rng):
            ...     return turns.random_rows()
            >>> rng = np.random.default_rng(1)
            >>> games = batch.play_matches(2, rng, choose, length=3)
            >>> match = games.to_matches(("Ann", "Bob"))[1]
            >>> match.length, records.referee(match)
            (3, ())
            >>> match.score == tuple(games.match_scores[1].tolist())
            True
        """
        from gammonrules.batch._match_records import records_of  # noqa: PLC0415  records are loaded when they are made

        return records_of(self, players)
