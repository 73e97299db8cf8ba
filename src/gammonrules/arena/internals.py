"""What other folders of this package need of `arena` beside its public names. None of it is public."""

from gammonrules.arena._bench import (
    FIRST as FIRST,
    is_unanswered as is_unanswered,
    loss_text as loss_text,
    mean_loss_text as mean_loss_text,
)
from gammonrules.arena._players import (
    is_in_a_module as is_in_a_module,
    refuse_missing_program as refuse_missing_program,
)
from gammonrules.arena._run import Processes as Processes
