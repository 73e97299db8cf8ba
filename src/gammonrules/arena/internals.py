"""What other folders of this package need of `arena` beside its public names. None of it is public."""

from gammonrules.arena._run import in_processes as in_processes
