"""The Hypothesis strategies of records in a fresh interpreter."""

from __future__ import annotations

import sys

import processes


class TestRegistration:
    """`st.from_type` knows the types of records as soon as Hypothesis is imported."""

    def test_in_a_fresh_interpreter(self):
        """By an entry point of their own. What is asked for may be a base of theirs and of others."""
        program = """
from collections.abc import Hashable
from hypothesis import given, settings, strategies as st
from gammonrules import json
from gammonrules.records import Game, Match

@settings(max_examples=3, database=None, deadline=None)
@given(st.from_type(Match), st.from_type(Game), st.from_type(json.Value), st.from_type(Hashable), st.from_type(object))
def test_of_types(match, game, value, hashable, anything):
    assert isinstance(match, Match) and isinstance(game, Game)
    assert json.loads(json.dumps(value)) == value
test_of_types()
"""
        processes.run(sys.executable, "-W", "error", "-c", program)
