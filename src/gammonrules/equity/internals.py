"""What other folders of this package need of equities beside their values. None of it is public."""

from gammonrules.equity.janowski import Stakes as Stakes
from gammonrules.equity.match_equity_table import (
    EquityScale as EquityScale,
    equity_scale as equity_scale,
    stakes_of as stakes_of,
)
