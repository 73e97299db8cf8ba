"""The commands that list the decisions of the rows of a report, to be copied."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from attrs import frozen

from gammonrules.analysis.internals import harmless
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.records.page.aggregates import Tally
from gammonrules.records.transcript import Evaluator

_BARE: Final = re.compile(r"[\w./][\w./-]*")
_QUOTABLE: Final = re.compile(r"[\w ./:=<>!,+()-]*")
"""What stays as it is between double quotes, by which every shell keeps words together."""
_SUMMARY: Final = "Commands that list these positions"
_NOTE: Final = (
    "More conditions say which of them: <code>&quot;opponent_anchors &gt;= 1&quot;</code> "
    "<code>&quot;post_crawford = true&quot;</code> <code>&quot;error &gt;= 0.08&quot;</code>"
)


@frozen
class FindCommand:
    """`gammonrules find` for the decisions of a player that a report counts."""

    conditions: Sequence[str]
    place: str
    """Where the records are."""

    @classmethod
    def of(cls, tally: Tally, evaluator: Evaluator, name: str, place: str) -> FindCommand | None:
        """None where the records would have other decisions for it, or nobody could copy what it says."""
        conditions = [f"player = {name}", f"counts_{tally.rule} = true"]
        is_certain = not tally.is_judged_twice
        if len(tally.evaluators_named) > 1:
            conditions.append(f"engine = {evaluator.engine}")
            engines = [other.engine for other in tally.totals]
            is_engine_once = engines.count(evaluator.engine) == 1
            # find takes of each match the analyses of which there are most, not those that are chosen for a report
            is_certain = is_certain and is_engine_once and not tally.is_choice
        is_in_records = name not in tally.names_not_in_records
        can_be_copied = all(map(_is_plain, [name, place, evaluator.engine]))
        if not (place and is_certain and is_in_records and can_be_copied):
            return None
        return cls(conditions, place)

    def line(self, *conditions: str) -> str:
        words = [*self.conditions, *conditions, self.place]
        return " ".join(["gammonrules find", *map(_quoted_word, words)])

    def folded(self, rows: Mapping[str, Sequence[str]]) -> str:
        """The commands for the rows, by their titles, with the conditions of each; "" without rows."""
        if not rows:
            return ""
        lines: list[str] = []
        for title, conditions in rows.items():
            lines.append(f"<p>{title}<code>{escape(self.line(*conditions))}</code></p>\n")
        commands = "".join(lines)
        return (
            f'<details class="commands"><summary>{_SUMMARY}</summary>\n'
            f"{commands}<p>{_NOTE}</p></details>\n"
        )


def _is_plain(text: str) -> bool:
    return harmless(text, MAX_NAME_LENGTH) == text == text.strip()


def _quoted_word(word: str) -> str:
    if _BARE.fullmatch(word):
        return word
    return f'"{word}"' if _QUOTABLE.fullmatch(word) else shlex.quote(word)
