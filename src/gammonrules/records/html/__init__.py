"""A match as a page to look through: one HTML file with everything in it.

A game becomes *steps*, the positions that a reader looks at one after another. The page has a list of them, which is
plain HTML, and data for its script: the pictures, which are those of `gammonrules.draw`, and the analyses.
"""
