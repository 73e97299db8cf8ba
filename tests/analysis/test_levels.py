"""`Level`: what the words of engines and of foreign files mean, and which of them mean nothing."""

from __future__ import annotations

from typing import Any

import loop
import wording
from gammonrules import ArgumentError
from gammonrules.analysis import Level
from gammonrules.analysis.internals import EXACT, ROLLOUT, UNKNOWN, default_level, ply_level, rollout_level, tiers_level

STOPPED = "rollout, 144 of 1296 trials of 1-ply, until decided, seed 1"
ASKED = "rollout, 1296 trials of 1-ply, until decided, seed 1"
FACTS = "depth", "depth_in_races", "is_cubeless", "is_exact", "is_tiers", "is_rollout", "trials", "trials_done", "terms"


def facts(level: Level) -> dict[str, Any]:
    """Those that are not as in a level with words alone."""
    values = {name: getattr(level, name) for name in FACTS}
    return {name: value for name, value in values.items() if value != getattr(UNKNOWN, name)}


@loop.rows(
    "words, asked, told",
    ("2-ply", "2-ply", {"depth": 2}),
    ("0-ply cubeless", "0-ply cubeless", {"depth": 0, "is_cubeless": True}),
    ("exact", "exact", {"is_exact": True}),
    ("level 2", "level 2", {"depth": 2, "depth_in_races": 3}),
    ("level 2: exact", "level 2", {"is_exact": True}),
    ("level 2+", "level 2+", {"depth": 2, "depth_in_races": 3}),
    ("level 2+: 3-ply", "level 2+", {"depth": 3}),
    ("level 4: 4-ply", "level 4", {"depth": 4}),
    ("tiers quick", "tiers quick", {"is_tiers": True}),
    ("tiers quick: 2-ply", "tiers quick", {"depth": 2}),
    (STOPPED, ASKED, {"depth": 1, "is_rollout": True, "trials": 1296, "trials_done": 144, "terms": ASKED[9:]}),
    (f"{ASKED}: exact", ASKED, {"is_exact": True}),
    ("rollout", "rollout", {"is_rollout": True}),
    ("Rollout, of theirs", "Rollout, of theirs", {"is_rollout": True}),
    ("rollout, 7 of 99 trials", None, {"is_rollout": True, "trials": 99, "trials_done": 7}),
    ("rollout, 9 of 5 trials of 1-ply, seed 1", None, {"is_rollout": True, "trials": 5, "trials_done": 9}),
    ("rollout, 0 of 5 trials of 1-ply, seed 1: exact", None, {"is_rollout": True, "trials": 5, "trials_done": 0}),
    ("rollout, 99 trials", None, {"is_rollout": True, "trials": 99}),
    ("no rollout", None, {}),
    ("rollouts", None, {}),
    ("XG Roller++", None, {}),
    ("3-ply red", None, {}),
    ("02-ply", None, {}),
    ("level 57: of mine", "level 57", {}),
    ("2-ply: exact", None, {}),
    ("exact to 3 points, then estimated", None, {}),
    ("", None, {}),
)
def test_what_words_mean(words: str, asked: str | None, told: dict[str, Any]) -> None:
    """They stay as they are; what was asked for is told from what answered by those words alone that are our own."""
    level = Level.read(words)
    assert (str(level), str(level.requested), facts(level)) == (words, words if asked is None else asked, told)
    assert (level == Level(words) == words, hash(level), bool(level)) == (True, hash(words), words != "")
    assert facts(Level(words)) == {}


def test_what_our_engines_write_is_read() -> None:
    rollout = rollout_level(1296, depth=2, truncate=7, until=0.01, seed=3)
    written = [EXACT, ROLLOUT, default_level(1), ply_level(3, is_cubeless=True), tiers_level("quick"), rollout]
    written += [rollout.after_trials(36), default_level(2, looks_again=True).effective(EXACT)]
    for level in written:
        assert (facts(Level.read(str(level))), Level.read(str(level)).requested) == (facts(level), level.requested)


def test_what_is_no_answer_is_refused() -> None:
    level: Any = Level.read("2-ply")
    for make, words in (
        (lambda: level.after_trials(36), "'2-ply' is no level of a rollout"),
        (lambda: Level.read(ASKED).after_trials(0), "done must be"),
        (lambda: level.effective("exact"), "source must be"),
        (lambda: Level("2-ply", requested="2-ply"), "asked must be a level or None"),
    ):
        with wording.raises(ArgumentError, words):
            make()


@loop.rows("wrong", 2, None, b"2-ply")
def test_what_is_no_text_is_refused(wrong: Any) -> None:
    for make in Level, Level.read:
        with wording.raises(ArgumentError, "words must be"):
            make(wrong)
