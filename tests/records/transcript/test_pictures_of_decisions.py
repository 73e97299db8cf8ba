"""A decision is drawn as the state before it, as the player who decided sees it."""

from __future__ import annotations

import loop
from elements import drawn
from gammonrules import Player
from gammonrules.draw import BoardStyle, svg
from gammonrules.records import Decision, loads

WHITE, BLACK = Player
DECISIONS = tuple(
    loads("""\
 7 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                   Doubles => 2
  2)  Takes                       64: 24/14
""").decisions()
)


@loop.over("decision", DECISIONS)
def test_drawn(decision: Decision) -> None:
    picture = svg.match_state(decision)
    play = decision.action if decision.kind == "play" else None
    bottom = decision.state.on_roll if decision.kind == "answer" else decision.player
    assert picture == svg.match_state(decision.state, bottom=bottom, style=BoardStyle(numbers="fixed"), arrows=play)
    assert decision._repr_svg_() == svg.match_state(decision, bottom=WHITE, style=BoardStyle(size=628))
    assert svg.match_state(decision, bottom=WHITE, arrows=[], style=BoardStyle(numbers="off")) == svg.match_state(
        decision.state, style=BoardStyle(numbers="off")
    )


def test_an_answer_is_seen_from_the_side_of_the_double() -> None:
    take = next(decision for decision in DECISIONS if decision.kind == "answer")
    assert (take.player, take.state.on_roll) == (WHITE, BLACK)
    group = drawn(svg.match_state(take), "point")[0]  # that of Black's 1 point
    assert (group.attrib["data-point"], drawn(group, "number")[0].text) == ("1", "1")
