"""What other folders of this package need of `engine` beside its public names. None of it is public."""

from gammonrules.engine._bots import (
    hint_of_policy as hint_of_policy,
    legal_decision as legal_decision,
    legal_event as legal_event,
)
from gammonrules.engine._factory import seconds_or_none as seconds_or_none
from gammonrules.engine._named_engines import (
    engine_of_file as engine_of_file,
    engine_with_levels as engine_with_levels,
    forms_of_names as forms_of_names,
)
from gammonrules.engine._resignations import gives_highest_win as gives_highest_win
from gammonrules.engine._ubgi import Ubgi as Ubgi, checked_command as checked_command
