"""What `.ci/test-pages` leaves out, or adds, is there: so its lists say no more than they must."""

from __future__ import annotations

import re
from pathlib import Path

from console_blocks import LEFT_OUT, RECORDS_OF_TESTS, blocks, pages

ROOT = Path(__file__).parents[2]
BLOCKS = [block for page in pages(ROOT) for block in blocks(ROOT, page)]


def test_what_is_left_out_is_on_its_page() -> None:
    listed = [(page, start) for by_page in LEFT_OUT.values() for page, starts in by_page.items() for start in starts]
    assert len(BLOCKS) > len(listed)
    gone = [
        (page, start)
        for page, start in listed
        if not any(block.page == page and block.commands.startswith(start) for block in BLOCKS)
    ]
    assert gone == []


def test_examples_read_no_other_records_of_the_tests() -> None:
    typed = re.compile(r'^(?:>>>|\.\.\.) .*"(tests/data/[^"]*)"', re.MULTILINE)
    read = {path for page in pages(ROOT) for path in typed.findall(page.read_text(encoding="utf-8"))}
    assert read == {path for path in read if any(listed.startswith(path) for listed in RECORDS_OF_TESTS)}
    assert [listed for listed in RECORDS_OF_TESTS if not listed.startswith(tuple(read))] == []
