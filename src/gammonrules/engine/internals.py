"""What other folders of this package need of `engine` beside its public names. None of it is public."""

from gammonrules.engine._bots import decided as decided
from gammonrules.engine._driver import in_a_line as in_a_line
from gammonrules.engine._makers import seconds_or_none as seconds_or_none
from gammonrules.engine._ubgi import Ubgi as Ubgi, checked_command as checked_command
