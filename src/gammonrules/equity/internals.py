"""What other folders of this package need of equities beside their values. None of it is public."""

from gammonrules.equity.chances import (
    chances_of as chances_of,
    fit_together as fit_together,
    five_of as five_of,
    may_be_chances as may_be_chances,
    to_chances as to_chances,
    to_chances_or_none as to_chances_or_none,
)
from gammonrules.equity.janowski import Stakes as Stakes
from gammonrules.equity.match_equity_table import (
    EquityScale as EquityScale,
    equity_scale as equity_scale,
    stakes_of as stakes_of,
)
