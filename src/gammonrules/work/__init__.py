"""Work elsewhere: foreign programs, and Pythons of our own that do one thing with many items. None of it is public."""

from gammonrules.work.children import Child, is_child
from gammonrules.work.programs import Program, deadline_in, seconds_left
from gammonrules.work.sharing import MOST_JOBS, Kept, checked_jobs, in_order

__all__ = [
    "MOST_JOBS",
    "Child",
    "Kept",
    "Program",
    "checked_jobs",
    "deadline_in",
    "in_order",
    "is_child",
    "seconds_left",
]
