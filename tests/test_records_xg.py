"""eXtreme Gammon's binary files: what they hold, against the text exports of the same matches and figures of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from gammonrules.records import load, referee

DATA = Path(__file__).parent / "data"
TEXTS = DATA / "matches" / "xg-text"
TEST = DATA / "matches" / "xg" / "test.xg"
CHARLOT = DATA / "matches" / "xg" / "charlot1-charlot2_7p_2025-11-08-2305.xg"
COMMENTED = DATA / "matches" / "xg" / "match_with_comment.xg"
DOUBLES = DATA / "analysis" / "xg" / "aachen2024-double-7pt-a.xg"
ALL = sorted(DATA.glob("*/xg/*.xg"))


class TestRealFiles:
    """The five files of the program."""

    @pytest.mark.parametrize("name", ["test.mat", "test.txt"])
    def test_are_equal_to_the_text_exports_of_the_same_program(self, name):
        assert load(TEST) == load(TEXTS / name)

    def test_are_equal_to_the_text_of_another_program_but_for_the_tags(self):
        ours, theirs = load(CHARLOT), load(TEXTS / CHARLOT.with_suffix(".mat").name)
        assert (ours.players, ours.length, ours.rules, ours.games) == (
            theirs.players,
            theirs.length,
            theirs.rules,
            theirs.games,
        )
        assert theirs.tags == (("EventDate", "2025.11.08"),)  # the text has no more than the day
        assert ours.date == theirs.date

    @pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem[:20])
    def test_replay_as_they_say(self, path):
        """Boards, cubes, scores, flags, winners and points are those that the files store."""
        match = load(path)
        kinds = {str(finding.kind) for finding in referee(match) if finding.severity != "info"}
        assert kinds == ({"illegal-play"} if path == DOUBLES else set())
        assert match.winner is not None
        assert all(game.result for game in match.games)
