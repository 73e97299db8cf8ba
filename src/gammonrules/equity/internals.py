"""What other folders of this package need of equities beside their values. None of it is public."""

from gammonrules.equity.chances import (
    all_fit_together as all_fit_together,
    fit_together as fit_together,
    five_of as five_of,
)
from gammonrules.equity.match_equity_table import (
    EquityScale as EquityScale,
    equity_scale as equity_scale,
)
