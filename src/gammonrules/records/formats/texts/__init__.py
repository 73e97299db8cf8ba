"""Texts with positions: GNU Backgammon's analyzed games, positions of eXtreme Gammon and of BGBlitz.

Their words are translated into many languages, so they are recognized by their shape: numbers, names and identifiers.
"""
