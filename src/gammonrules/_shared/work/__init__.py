"""Work elsewhere: foreign programs, and Pythons of our own that do one thing with many items. None of it is public."""

from gammonrules._shared.work.cache_of_one import CacheOfOne as CacheOfOne
from gammonrules._shared.work.children import Child as Child, is_child as is_child
from gammonrules._shared.work.process_pool import (
    Workers as Workers,
    checked_workers as checked_workers,
    checked_workers_or_map as checked_workers_or_map,
    in_order as in_order,
)
from gammonrules._shared.work.programs import (
    Deadline as Deadline,
    Program as Program,
    check_that_it_is_there as check_that_it_is_there,
    deadline_in as deadline_in,
    in_a_line as in_a_line,
    seconds_left as seconds_left,
    start_thread as start_thread,
)
