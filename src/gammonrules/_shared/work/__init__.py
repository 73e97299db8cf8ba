"""Work elsewhere: foreign programs, and Pythons of our own that do one thing with many items. None of it is public."""

from gammonrules._shared.work.children import (
    MOST_JOBS as MOST_JOBS,
    Child as Child,
    Kept as Kept,
    checked_jobs as checked_jobs,
    in_order as in_order,
    is_child as is_child,
)
from gammonrules._shared.work.programs import (
    Program as Program,
    deadline_in as deadline_in,
    seconds_left as seconds_left,
)
