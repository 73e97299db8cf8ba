"""The Hypothesis strategies in a fresh interpreter."""

from __future__ import annotations

import sys

import processes


class TestRegistration:
    """`st.from_type` knows the types of the library as soon as Hypothesis is imported."""

    def test_in_a_fresh_interpreter(self):
        """Hypothesis alone does not load the strategies."""
        program = """
import sys
from hypothesis import given, settings, strategies as st
assert "gammonrules.strategies" not in sys.modules
from gammonrules import Player, Plays, Position, strategies

assert strategies.positions().validate() is None

@settings(max_examples=3, database=None, deadline=None)
@given(...)
def test_of_annotations(position: Position, player: Player, plays: Plays):
    assert position.flip().flip() == position
test_of_annotations()
"""
        processes.run(sys.executable, "-W", "error", "-c", program)
