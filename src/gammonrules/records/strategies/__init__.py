"""Hypothesis strategies for records; `gammonrules.strategies` has them for users."""

from gammonrules.records.strategies.games_and_matches import games as games, matches as matches
from gammonrules.records.strategies.whole_records import records as records
