"""Chances of winning the match and normalized equities, by the match equity table of Kazaross (XG2)."""

from gammonrules.equity.conversion import chance_of_match, emg_of, mwc_of

__all__ = ["chance_of_match", "emg_of", "mwc_of"]
