"""What the commands and `arena` need of the suite beside its public names. None of it is public."""

from gammonrules.conformance.asking import (
    DECIDES as DECIDES,
    PROTOCOL as PROTOCOL,
    Interview as Interview,
    interviewed as interviewed,
)
from gammonrules.conformance.examining import Examination as Examination
from gammonrules.conformance.questions import core as core, for_engines as for_engines, full as full
from gammonrules.conformance.states import (
    boards_after as boards_after,
    event_of as event_of,
    flat as flat,
    state_of_flat as state_of_flat,
    state_of_right_flat as state_of_right_flat,
)
