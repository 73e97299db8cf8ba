"""The names of actions, starts and options. Written by `python generate.py conformance_names`: do not edit it."""

ACTIONS = [
    "opening_roll",
    "roll",
    "play",
    "double",
    "take",
    "drop",
    "beaver",
    "resign",
    "accept",
    "decline",
    "next_game",
]
STARTS = {
    "standard": ("4HPwATDgc/ABMA", 15),
    "nackgammon": ("4Dl4ADbgOXgANg", 15),
    "longgammon": ("AACA/z8AAID/Pw", 15),
    "hypergammon": ("AACgAgAAKgAAAA", 3),
    "hypergammon2": ("AABAAQAACgAAAA", 2),
    "hypergammon1": ("AACAAAAAAgAAAA", 1),
}
"""Each start by its name: its Position ID, and the checkers of a side."""
OPTIONS: dict[str, list[str]] = {
    "crawford": [],
    "jacoby": [],
    "beavers": [],
    "auto_doubles": [],
    "max_cube": [],
    "cube": [],
    "gammons": [],
    "backgammons": [],
    "scoring": ["points", "pips"],
    "opening": ["shared", "reroll"],
}
"""The options in their order in memory, with the words of those that have some."""
