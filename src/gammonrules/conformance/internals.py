"""What the commands need of the suite beside its public names. None of it is public."""

from gammonrules.conformance.asking import interviewed as interviewed
from gammonrules.conformance.examining import Examination as Examination
from gammonrules.conformance.questions import core as core, for_engines as for_engines, full as full
