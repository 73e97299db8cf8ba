"""Identifiers of the field, on plain values."""
