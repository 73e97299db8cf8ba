"""The Jellyfish text family (`.mat`, `.txt`, "Snowie text"): reader and writer.

The reader understands the dialects of BackgammonGalaxy, Backgammon Studio, eXtreme Gammon, GNU Backgammon and Snowie,
and hand-made transcriptions. The writer has one canonical form, which GNU Backgammon imports.
"""
