"""At which level bgsage answers where no engine is named."""

from __future__ import annotations

from typing import Any

from test_default import LONG_RACE, OPENING, SOLVED, default, in_this_process

import loop
from gammonrules import Action, MatchState, Player, Position
from gammonrules.engine import TIERS, Rollout, SimpleEngine

__all__ = ["default", "in_this_process"]

EXACT, RACE, CONTACT = "exact", "3-ply", "2-ply"
RACE_CUBE, CONTACT_AGAIN = "4-ply", "3-ply"
CLOSE = MatchState.from_xgid("XGID=-a---BCBB-a-bD-Abd-c---bA-:0:0:1:00:0:0:3:0:10")
"""Level 2 says to double, by 0.08, and level 3 not to, by 0.01."""
BREAKS = MatchState(Position.of(mine={13: 1, 1: 2, "off": 12}, theirs={13: 1, 1: 2, "off": 12}), Player.WHITE)
"""With 66 both checkers pass each other; before, they are in contact."""


@loop.rows(
    "state, source",
    (SOLVED, EXACT),
    (SOLVED.double(), EXACT),
    (SOLVED.roll("21"), EXACT),
    (LONG_RACE, RACE_CUBE),
    (LONG_RACE.roll("21"), RACE),
    (OPENING, CONTACT),
    (OPENING.play("8/5 6/5"), CONTACT),
    (CLOSE, CONTACT_AGAIN),
    (CLOSE.double(), CONTACT_AGAIN),
    (CLOSE.roll("21"), CONTACT),
    (BREAKS, CONTACT_AGAIN),
    (BREAKS.roll("66"), EXACT),
)
def test_the_source_of_an_answer(state: MatchState, source: str, default: Any) -> None:
    """What is solved is told, whatever else answers; bgsage looks deeper in races."""
    analysis = default.hint(state).analysis
    level = analysis.best.level if state.dice else analysis.level
    assert level == f"level 2+: {source}"


def test_a_close_double_is_looked_at_again(default: Any) -> None:
    """At the next level, unless a level is chosen; what a roll is worth is then that of the same answer."""
    with (
        SimpleEngine.bgsage(level=3) as deeper,
        SimpleEngine.default(2) as chosen,
        SimpleEngine.bgsage(level=2) as usual,
    ):
        again = default.cube_analysis(CLOSE)
        assert again.no_double == deeper.cube_analysis(CLOSE).no_double == default.evaluate(CLOSE).equity
        assert (again.best, chosen.cube_analysis(CLOSE).best) == (Action.ROLL, Action.DOUBLE)
        assert chosen.cube_analysis(CLOSE).no_double == usual.cube_analysis(CLOSE).no_double
        assert (chosen.level, chosen.cube_analysis(CLOSE).level) == ("level 2", "level 2: 2-ply")


@loop.rows(
    "options, source, level",
    ({"level": 1}, CONTACT.replace("2", "1"), "level 1"),
    ({"level": TIERS["quick"]}, "1-ply", "tiers quick"),
    ({"rollout": Rollout(36, truncate=1)}, None, "rollout, 36 trials of 1-ply, truncated at 1, seed 1"),
)
def test_other_levels(options: dict[str, Any], source: str | None, level: str, in_this_process: None) -> None:
    """The exact is exact at each; tiers look at races deeper too, and rollouts roll them out."""
    with SimpleEngine.default(**options) as engine:
        assert engine.level == level
        assert engine.cube_analysis(SOLVED).level == f"{level}: exact"
        assert engine.candidates(OPENING, 1)[0].level == (f"{level}: {source}" if source else level)
        assert engine.candidates(LONG_RACE.roll("21"), 1)[0].level == (f"{level}: {RACE}" if source else level)
