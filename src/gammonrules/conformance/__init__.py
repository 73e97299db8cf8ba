"""A conformance suite for backgammon programs in any language (extra `json`: cattrs).

`gammonrules conform` asks a program the questions of the suite; `answer` is the right answer to each.
"""

from gammonrules.conformance.answers import answer

__all__ = ["answer"]
__dir__ = __all__.copy
