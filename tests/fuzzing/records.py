"""Match records as text, real ones and one with what they seldom have, changed at random.

`fuzzing.readers` says what must hold; here, what is written must say the same as well.
"""

from __future__ import annotations

import random

from fuzzing.harness import attempt
from fuzzing.readers import changed_text, check_record, files
from gammonrules import Event, GammonError
from gammonrules.records import Game, Match, dumps, loads, loads_all, lost_fields

SELDOM = """\
; [Crawford "Off"]
; [CubeLimit "1024"]
; [Variation "Hypergammon"]
 0 point match

 Game 1
 Ann : 0                         Bob : 0
; Set Pos=-b----E-C---eE---c-e----B-/-2
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Beavers => 4                Raccoons => 8
  3)                             62: ????
  4) 11: Illegal play (7;0;1;0;0;Bob;Ann;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;)
  5) 66: Cannot Move              31: Concedes
  6)  Resigns gammon              21: bar/22 6/off(2)
      Losses 2 points                  Wins 2 points and the match
; Ann wins by forfeit
"""
"""With words that few real files have, in lines that get into the others."""
REAL = files("matches/**/*.mat", "matches/**/*.txt")
TEXTS = [*REAL, *[SELDOM] * (len(REAL) // 3)]
MAX_CASE_LENGTH = 20_000
"""Characters of a text that is written as well."""
SECONDS = 2.0
"""For writing it."""


def case(rng: random.Random) -> bytes:
    return changed_text(rng, TEXTS, "\n\n\n:) /")


def check(case: bytes) -> None:
    """Read it and do everything with it that can be done, then write it and read it again."""
    check_record(case)
    try:
        matches = loads_all(case)
    except GammonError:
        return
    for match in matches if len(case) < MAX_CASE_LENGTH else ():
        if match.format == "mat":
            _check_writing(match)


def _check_writing(match: Match) -> None:
    """What is written says the same, except what `lost_fields` names, and is written in the same way again."""
    text, error = attempt(lambda: dumps(match), seconds=SECONDS)
    lost = lost_fields(match, "mat")
    if error is not None:
        assert lost == ("match",) or any(name.endswith(".rest") for name in lost)
        return
    again = loads(text)
    assert (again.length, len(again.games)) == (match.length, len(match.games))
    for index, (game, read) in enumerate(zip(match.games, again.games, strict=True)):
        assert (game.number, game.score) == (read.number, read.score)
        if f"games[{index}].events" not in lost:
            _check_same_game(game, read)
    if not lost:
        assert again == match, "another record when it has been read"
    if not any(name.endswith(".events") for name in lost):  # the end of another game may need another line
        assert _without_comments(dumps(again)) == _without_comments(text), (
            "it is written otherwise when it has been read"
        )


def _without_comments(text: str) -> list[str]:
    """The lines of a record. A comment may lose what looks like the sign of one, or a blank, only when it is read."""
    return [line for line in text.splitlines() if not line.startswith(";") or "Set Pos" in line]


def _check_same_game(game: Game, read: Game) -> None:
    """The same plays, rolls, cubes and positions set by hand, and the same result."""
    assert _story(game) == _story(read), "another game when it has been read"
    result, result_read = game.final().result, read.final().result
    if result is None and game.stated is not None:
        return  # it is read back as resigned
    assert result == result_read, "another result when it has been read"


def _story(game: Game) -> list[object]:
    """What happened, without offers to resign, which the format has no words for, and tied opening rolls."""
    story: list[object] = []
    for event, before, after in zip(game.events, states := list(game.states()), states[1:], strict=False):
        if not isinstance(event, Event):  # what a record has besides: a position set by hand, ...
            story.append((after.position, after.on_roll, after.cube, after.result))
        elif event.action == "play":
            story.append((event.action, after.position))
        elif event.action in ("roll", "opening_roll"):
            story += [(after.on_roll, after.dice)] * (after.dice is not None)
        elif event.action in ("double", "take", "drop", "beaver"):
            story.append((event.action, before.to_act))
    return story
