"""Run every Python example of the README, of the docs and of the docstrings as a test (Sybil)."""

from sybil import Sybil
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser
from sybil.parsers.rest import DocTestParser

# One pattern for each depth: before Python 3.13 a path pattern gives ** no meaning of its own.
_pages = Sybil(
    parsers=[PythonCodeBlockParser(), SkipParser()],
    patterns=["README.md", "docs/*.md", "docs/*/*.md"],
)
_docstrings = Sybil(
    parsers=[DocTestParser()],
    patterns=[f"src/gammonrules/{'*/' * depth}*.py" for depth in range(5)],
)

pytest_collect_file = (_pages + _docstrings).pytest()
