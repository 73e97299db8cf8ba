"""Pages of matches: whatever a record contains, it has one, and nothing of the record is markup in it."""

from __future__ import annotations

import json
import re

from gammonrules.records import Match, to_html

_LINK = re.compile(r'<a href="#[A-Za-z0-9=:&;.-]*">[^<>"]*</a>')
_DATA = re.compile(r'(?s)<script type="application/json" id="data">(.*?)</script>')


def check_page(match: Match) -> None:
    """Make the page of a match; its list and the data of its script fit."""
    page = to_html(match)
    page.encode()
    assert page.count("<script") == page.count("</script") == 2
    (data,) = map(json.loads, _DATA.findall(page))
    listed = page[page.index("<nav") : page.index("</nav>")]
    assert listed.count("<a ") == len(_LINK.findall(listed)) == len(data["steps"])
