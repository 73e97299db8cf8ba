"""What is played for: the columns of a table, one for each place of the cube at each score."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from attrs import frozen

from gammonrules.board.array_checks import Floats


@frozen(eq=False, slots=False)
class CubeColumns:
    """What is played for.

    Attributes:
        columns: the names of the columns: each is the equity of rolling now with the cube at one place.
        passed: for each column, that of the opponent after a play.
        lost: `(columns, 3)`: what a single game, a gammon and a backgammon cost the side on roll that has lost them.
        doubles: for each column in which the side on roll may double: the column, what a drop is worth, and what the
            answers that keep the game going are, as factors of columns, of which the opponent chooses the least.
    """

    columns: tuple[str, ...]
    passed: tuple[int, ...]
    lost: Floats
    doubles: tuple[tuple[int, float, tuple[tuple[float, int], ...]], ...]

    def before(self, rolling: Floats) -> Floats:
        """The equities of rolling or doubling, whichever is better, from those of rolling now: `(N, columns)`."""
        best = rolling.copy()
        for column, dropped, answers in self.doubles:
            answered = np.full(len(rolling), dropped)
            for factor, after in answers:
                np.minimum(answered, factor * rolling[:, after], out=answered)
            np.maximum(best[:, column], answered, out=best[:, column])
        return best

    def known(self, rolling: Floats) -> Floats:
        """What positions are worth to the side on roll, in the columns of the opponent who has just played."""
        return self.before(rolling)[:, list(self.passed)]

    @cached_property
    def over(self) -> Floats:
        """`(3, columns)`: the same of games that the side on roll has lost: single, a gammon, a backgammon."""
        return -self.lost[list(self.passed)].T


CUBELESS, OWNED, CENTERED, OPPONENT_OWNS = range(4)


def money(*, jacoby: bool = True, beavers: bool = True) -> CubeColumns:
    """Points per unit of the cube. A beaver is taken for twice as much; nobody raccoons, since that never pays."""
    lost = np.tile([1.0, 2, 3], (4, 1))
    if jacoby:
        lost[CENTERED] = 1
    answers = ((2.0, OPPONENT_OWNS), (4.0, OPPONENT_OWNS))[: 1 + beavers]
    return CubeColumns(
        ("cubeless", "owned", "centered", "opponent_owns"),
        (CUBELESS, OPPONENT_OWNS, CENTERED, OWNED),
        lost,
        ((OWNED, 1.0, answers), (CENTERED, 1.0, answers)),
    )
