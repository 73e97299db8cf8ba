"""OGXM, version 2: the open format of OpenGammon, HedgeHog and GammonView, read and written.

A file is a series of sections: the match, its games with their plies, analyses, times and remarks. It is the only
format beside JSON that has clocks, analyses, variants and rules at once.
"""
