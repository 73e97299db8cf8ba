"""Hypothesis strategies for records; `gammonrules.strategies` has them for users."""

from gammonrules.records.strategies.analyses_and_records import (
    cube_analyses as cube_analyses,
    play_analyses as play_analyses,
    records as records,
)
from gammonrules.records.strategies.games_and_matches import games as games, matches as matches
