"""OGXM, version 2: the open format of OpenGammon, HedgeHog and GammonView, read and written."""
