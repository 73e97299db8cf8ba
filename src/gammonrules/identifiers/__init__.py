"""Identifiers of the field: a whole table in a line of text."""

from gammonrules.identifiers.convert import lost_in_gnubg_id, lost_in_xgid, read

__all__ = ["lost_in_gnubg_id", "lost_in_xgid", "read"]
