"""The results of an arena."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Final

import attrs
from attrs import field, frozen

from gammonrules._shared.checked_fields import Bounds, Checked, wrong_fields
from gammonrules.analysis.internals import signed
from gammonrules.arena._intervals import (
    ArenaUntil,
    Interval,
    is_share,
    is_unknown,
    mean_text,
    wrong_or_below_0,
)
from gammonrules.arena._losses import Loss
from gammonrules.arena._ranking import Ranking
from gammonrules.arena._ratings import ratings
from gammonrules.arena._work_units import AllValues
from gammonrules.limits import MAX_POINTS
from gammonrules.values import is_exact_tuple, is_series, shown

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table

MAX_SEED: Final = 2**63


@frozen
class Pairing(Checked):
    """The result of the games of two players.

    *Equality*: two are equal if all attributes but `seconds` are equal.

    Attributes:
        players: their names.
        interval: what the first of them won from the other: points a game, or the share of matches.
        variance_ratio: how many times as large the variance would be if every game had its own dice; None if nothing
            varied.
        losses: what each lost by the decisions that the table knows, or None without one.
        seconds: how long the games took, added up over the processes.
        values: `(as White, as Black)` for each pair: the points that the first player won, or 1 and 0 for a match won
            and lost.
        forfeits: how many games, or matches, each of the two forfeited.

    Raises:
        ArgumentError: an attribute has the wrong type, or is out of bounds.
    """

    players: tuple[str, str]
    interval: Interval
    variance_ratio: float | None
    losses: tuple[Loss, Loss] | None
    seconds: Annotated[float, Bounds(0)] = field(eq=False)
    values: AllValues = field(repr=False)
    forfeits: tuple[int, int] = (0, 0)

    def _problems(self) -> Iterator[str]:
        yield from wrong_fields(self, "players", "interval", "losses", "seconds", "forfeits")
        if self.variance_ratio is not None:
            yield from wrong_or_below_0("variance_ratio", self.variance_ratio)
        if not _are_pairs_of_numbers(self.values):
            yield f"values must be pairs of numbers, not {shown(self.values)}"

    @property
    def games(self) -> int:
        """How many games, or matches, were played."""
        return 2 * len(self.values)

    def __str__(self) -> str:
        what = "matches" if is_share(self.interval.even) else "games"
        games = f"{self.games:,} {what}"
        for player, number in zip(self.players, self.forfeits, strict=True):
            if number:
                games += f", {number:,} forfeited by {player}"
        return f"{self.players[0]} against {self.players[1]}: {self.interval} ({games})"


@frozen
class Results(Checked):
    """The results of an arena. They print as lines, with a ranking of three or more; `rich.print` shows tables.

    *Equality*: two are equal if all attributes are equal; seconds do not count.

    Attributes:
        players: the names of all players.
        length: the points that win a match; None for money play.
        seed: what the dice were made from.
        pairings: the result of each two of them, in the order of the players.
        until: by what rule games ended early.
        dropped: who was dropped since they failed, `(name, why)`; they are not among the players.

    Raises:
        ArgumentError: an attribute has the wrong type, or is out of bounds.
    """

    players: tuple[str, ...]
    length: Annotated[int, Bounds(1, MAX_POINTS)] | None
    seed: Annotated[int, Bounds(0, MAX_SEED)]
    pairings: tuple[Pairing, ...]
    until: ArenaUntil = None
    dropped: tuple[tuple[str, str], ...] = ()

    @property
    def ratings(self) -> dict[str, Interval | None]:
        """How strong each player is; all together have 0.

        In money play the difference of two is the points a game that one wins from the other; in matches it is one of
        ratings as FIBS has them. A player is None if they won or lost every match against all others that have one.
        """
        return ratings(
            self._values_by_players, self.length, at_any_time=isinstance(self.until, str)
        )

    @property
    def unclear(self) -> tuple[tuple[str, str], ...]:
        """Players next to each other in the ranking whose order may be chance, the stronger one first.

        The order of two others who are next to each other is right with a probability of 95%, whenever one looks.
        """
        return tuple(Ranking(self._values_by_players, self.length).unclear())

    @property
    def _values_by_players(self) -> dict[tuple[str, str], AllValues]:
        return {pairing.players: pairing.values for pairing in self.pairings}

    def __str__(self) -> str:
        lines = [str(pairing) for pairing in self.pairings if pairing.values]
        if lines and len(self.players) > 2:
            for place, (name, rating) in enumerate(self._ranked(), start=1):
                lines.append(f"{place}. {name}: {rating}" if rating else f"{name}: no rating")
            lines.append(self._order_sentence())
        return "\n".join([*lines, *self._sentences_about_dropped()])

    def _sentences_about_dropped(self) -> Iterator[str]:
        for name, why in self.dropped:
            yield f"{name} was dropped: {why}"

    def to_json(self) -> str:
        """The dict of `to_dict` as a JSON string."""
        return json.dumps(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values for `json.dumps`, without the values of the pairs; what is infinite is None."""
        plain = attrs.asdict(self, filter=attrs.filters.exclude("values"), value_serializer=_finite)
        for pairing, form in zip(self.pairings, plain["pairings"], strict=True):
            form["games"] = pairing.games
        plain["dropped"] = [list(name_and_why) for name_and_why in self.dropped]
        ratings = dict[str, Any]()
        for name, rating in self.ratings.items():
            ratings[name] = None if rating is None else _plain_interval(rating)
        unclear = [list(players) for players in self.unclear]
        return {**plain, "ratings": ratings, "unclear": unclear}

    def __rich__(self) -> Group:
        from rich.console import Group  # noqa: PLC0415 - the extra cli has it
        from rich.text import Text  # noqa: PLC0415

        parts: list[RenderableType] = [self._pairings_table()]
        without_interval = [pairing for pairing in self.pairings if is_unknown(pairing.interval)]
        parts += [Text(str(pairing)) for pairing in without_interval]
        if len(self.players) > 2:
            parts += [
                "",
                _rich_table(["player"], ["rating"], self._ranked()),
                Text(self._order_sentence()),
            ]
        parts += [Text(sentence) for sentence in self._sentences_about_dropped()]
        parts.append(Text("±: half of a 95% interval"))
        parts.append(Text(f"Seed of the dice: {self.seed}"))
        return Group(*parts)

    def _pairings_table(self) -> Table:
        unit = "points a game" if self.length is None else "matches won"
        has_losses = any(pairing.losses for pairing in self.pairings)
        numbers = ["games", unit, "variance"]
        if has_losses:
            numbers.append("lost a decision")
        has_forfeits = any(any(pairing.forfeits) for pairing in self.pairings)
        if has_forfeits:
            numbers.append("forfeited")
        numbers.append("games/s")
        rows = list[Sequence[str]]()
        for pairing in self.pairings:
            if pairing.values:
                cells = _pairing_cells(pairing, has_losses=has_losses, has_forfeits=has_forfeits)
                rows.append([*pairing.players, *cells])
        return _rich_table(["player", "against"], numbers, rows)

    def _ranked(self) -> list[tuple[str, str]]:
        """The players with their ratings, best first; at the end those who have none, with ""."""
        rated = dict[str, Interval]()
        unrated = list[str]()
        for name, rating in self.ratings.items():
            if rating is None:
                unrated.append(name)
            else:
                rated[name] = rating
        best_first = sorted(rated, key=lambda name: rated[name].mean, reverse=True)
        form = ".3f" if self.length is None else ".0f"
        ranked = list[tuple[str, str]]()
        for name in best_first:
            rating = rated[name]
            mean = signed(rating.mean, f"+{form}")
            has_interval = math.isfinite(rating.margin)
            ranked.append((name, f"{mean} ± {rating.margin:{form}}" if has_interval else mean))
        return [*ranked, *[(name, "") for name in unrated]]

    def _order_sentence(self) -> str:
        unclear = self.unclear
        if not unclear:
            return "The order of all is clear"
        pairs = "; ".join(f"{stronger} and {weaker}" for stronger, weaker in unclear)
        return f"Their order is not clear yet: {pairs}"


def _are_pairs_of_numbers(values: object) -> bool:
    """Whether this is a tuple of pairs, looked at as a whole, since there can be millions."""
    if not is_exact_tuple(values):
        return False
    pairs: tuple[Any, ...] = values
    # no pairs are right, too: they have no types and no lengths
    types = set(map(type, pairs))
    if not types <= {tuple}:
        return False
    lengths = set(map(len, pairs))
    if not lengths <= {2}:
        return False
    types_of_numbers = set(map(type, chain.from_iterable(pairs)))
    return types_of_numbers <= {float, int}


def _rich_table(
    names: Sequence[str], numbers: Sequence[str], rows: Sequence[Sequence[str | None]]
) -> Table:
    """A table with these headings, some above names and some above numbers."""
    from rich import box, table, text  # noqa: PLC0415

    lines = table.Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    for heading in names:
        lines.add_column(heading, justify="left")
    for heading in numbers:
        lines.add_column(heading, justify="right")
    for row in rows:
        cells = [text.Text(cell or "-") for cell in row]
        lines.add_row(*cells)
    return lines


def _pairing_cells(pairing: Pairing, *, has_losses: bool, has_forfeits: bool) -> Iterator[str]:
    """The cells of a row of the table, after the names."""
    interval = pairing.interval
    ratio = pairing.variance_ratio
    has_interval = math.isfinite(interval.margin)
    has_ratio = ratio is not None and math.isfinite(ratio) and ratio > 0
    yield f"{pairing.games:,}"
    yield str(interval) if has_interval else mean_text(interval)
    yield f"÷ {ratio:.2f}" if has_ratio else ""
    if has_losses:
        rates = [loss.rate for loss in pairing.losses or ()]
        yield " : ".join("-" if rate is None else f"{rate:.4f}" for rate in rates)
    if has_forfeits:
        first, second = pairing.forfeits
        yield f"{first:,} : {second:,}"
    yield f"{pairing.games / pairing.seconds:,.1f}" if pairing.seconds else ""


def _plain_interval(interval: Interval) -> dict[str, Any]:
    """An interval with its ends as plain values."""
    plain = attrs.asdict(interval) | {"low": interval.low, "high": interval.high}
    return {name: _finite(None, None, value) for name, value in plain.items()}


def _finite(_owner: object, _field: object, value: object) -> object:
    """A value as `attrs.asdict` is to take it: lists, intervals with their ends, and nothing for what is infinite."""
    if isinstance(value, Interval):
        return _plain_interval(value)
    if is_series(value):
        return list(value)
    return None if isinstance(value, float) and math.isinf(value) else value
