"""What `.ci/test-pages` leaves out is there, and needs no clone: so its list says no more than it must."""

from __future__ import annotations

import re
from pathlib import Path

from console_blocks import LEFT_OUT, blocks, pages

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


def test_no_page_reads_what_only_a_clone_has() -> None:
    typed = re.compile(r"""^(?:>>>|\.\.\.) .*["'](?:tests|bot_benchmark|conformance)/""", re.MULTILINE)
    assert [page for page in pages(ROOT) if typed.search(page.read_text(encoding="utf-8"))] == []
