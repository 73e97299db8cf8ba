"""Tests that need more than each machine has, by name: `conftest.py` skips them where it is not there.

So distributions can be tested on systems for which a library has no wheels, and without the sources beside them. Tests
that say themselves what they need, such as whole files, are not listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

SOURCES = Path(__file__).parent.parent / "src"

BGSAGE = (
    "cli/test_analyze.py::TestArchive",
    "cli/test_cut_games.py::test_also_when_it_is_analyzed_and_after",
    "cli/test_output.py::test_nothing_is_replaced_unless_asked_for[analyze",
    "cli/test_output.py::test_what_appears_during_the_work_is_not_replaced",
    "cli/test_output.py::test_what_is_no_file_is_never_replaced",
    "cli/test_output.py::test_what_may_not_be_written_is_refused_before_the_work",
    "cli/test_report_command.py::test_what_is_no_record_is_skipped_and_named",
    "engine/ci/test_gnubg_engine.py::test_a_game_without_a_cube_is_worth_what_its_ends_are[bgsage",
    "engine/ci/test_gnubg_engine.py::test_it_accepts_a_resignation_that_is_worth_as_much_as_to_go_on",
    "engine/ci/test_gnubg_engine.py::test_what_follows_from_evaluations",
)

PYARROW = (
    "cli/test_output.py::test_nothing_is_replaced_unless_asked_for[export",
    "cli/test_output.py::test_through_a_folder_that_is_not_there",
    "cli/ci/test_report_of_folders.py",
    "cli/test_report_command.py::test_pages_",
    "records/page/test_player_summary.py::TestPractice",
    "records/page/ci/test_two_plays.py",
    "test_hostile_values.py::test_memory_is_no_series",
    "test_plus_minus.py::test_of_the_page_of_openings",
)

PANDAS = (
    "records/page/test_report.py::TestNumbers::test_of_the_table",
    "records/page/test_player_summary.py::test_a_board_is_asked_once_and_only_what_is_a_mistake",
    "records/page/test_player_summary.py::test_who_lost_by_one_side_is_told_so",
    "test_plus_minus.py::test_of_a_report",
)
"""It takes tables from pyarrow, with which these compare pages."""

THE_SOURCES = (
    "docs/test_development.py::test_a_place_that_is_gone_is_named",
    "docs/test_development.py::test_every_place_of_a_change_is_there",
    "docs/test_development.py::test_rules_are_where_the_table_says",
    "docs/test_examples.py::test_examples_fit_the_page",
    "docs/test_readme.py::test_links_lead_somewhere",
    "test_conformance.py::TestData::test_pack_is_that_of_the_data",
    "test_bot_benchmark.py::test_the_published_files",
)

NEEDS = {
    "bgsage": (BGSAGE, find_spec("bgsage") is not None),
    "pandas": (PANDAS, find_spec("pandas") is not None and find_spec("pyarrow") is not None),
    "pyarrow": (PYARROW, find_spec("pyarrow") is not None),
    "the sources": (THE_SOURCES, SOURCES.exists()),
}
"""What is needed, by which tests, and whether it is there."""


def missing(name: str) -> Iterator[str]:
    """What the test of this name, as pytest gives it, needs and has not."""
    for what, (tests, is_there) in NEEDS.items():
        if not is_there and name.removeprefix("tests/").startswith(tests):
            yield what
