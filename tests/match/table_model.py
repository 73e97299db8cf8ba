"""A second, deliberately simple model of a match: plain mutable numbers, from the rules, without the package.

Seats are 0 (White) and 1 (Black), `None` nobody. `board[seat][point]` counts checkers in that seat's own numbering,
bar 25; what is missing to `checkers` is off.
"""

from __future__ import annotations


class Table:
    def __init__(
        self, length: int | None, rules: dict, score: tuple[int, int], points: list[int], checkers: int = 15
    ) -> None:
        self.length = length
        self.rules = rules
        self.score = list(score)
        self.had_crawford = False
        self.turn = self.dice = self.doubled = self.resigned = self.result = None
        self.set_up(points, checkers)

    def set_up(self, points: list[int], checkers: int) -> None:
        """A new game on this board (26 numbers, White's side positive), waiting for its opening roll."""
        self.phase = "opening"
        self.cube, self.owner, self.ties = 1, None, 0
        self.turn = self.dice = self.doubled = self.resigned = self.result = None
        self.set_board(points, checkers)
        missing = self.missing()
        at_point = 1 in missing and missing != [1, 1]
        self.crawford = self.rules["crawford"] and self.length is not None and at_point and not self.had_crawford
        # A player who is one point away now cannot come to it for the first time again.
        self.had_crawford = self.had_crawford or 1 in missing

    def set_board(self, points: list[int], checkers: int) -> None:
        self.checkers = checkers
        self.board = [[max(0, n) for n in points], [max(0, -n) for n in reversed(points)]]

    def missing(self) -> list[int]:
        return [] if self.length is None else [self.length - n for n in self.score]

    def pips(self, seat: int) -> int:
        return sum(point * n for point, n in enumerate(self.board[seat]))

    def on_board(self, seat: int) -> int:
        return sum(self.board[seat])

    def actor(self) -> int | None:
        if self.phase in ("opening", "over"):
            return None
        if self.phase == "resigned":
            return 1 - self.resigned[0]
        if self.phase == "doubled":
            return self.turn if self.doubled % 2 == 0 else 1 - self.turn
        return self.turn

    def champion(self) -> int | None:
        if self.length is None:
            return None
        for seat in (0, 1):
            if self.score[seat] >= self.length:
                return seat
        return None

    def may(self, seat: int) -> set[str]:
        """Names of what this seat may do now."""
        if self.phase == "opening":
            return {"opening_roll"}
        if self.phase == "over":
            return {"next_game"} if self.champion() is None else set()
        if self.phase == "resigned":
            return {"accept", "decline"} if seat != self.resigned[0] else set()
        allowed = {"resign"}
        if seat != self.actor():
            return allowed
        if self.phase == "doubled":
            allowed |= {"take", "drop"}
            beavers = 0 if self.length is not None else self.rules["beavers"]
            if self.doubled <= beavers and self.below_limit(self.offered()):
                allowed.add("beaver")
        elif self.phase == "to_play":
            allowed.add("play")
        else:
            allowed.add("roll")
            if self.may_double(seat):
                allowed.add("double")
        return allowed

    def may_double(self, seat: int) -> bool:
        if not self.rules["cube"] or self.crawford or self.owner == 1 - seat:
            return False
        if self.length is not None and self.cube >= self.missing()[seat]:
            return False
        return self.below_limit(self.cube)

    def below_limit(self, value: int) -> bool:
        limit = self.rules["max_cube"]
        return limit is None or value < limit

    def offered(self) -> int:
        """The value on offer: `doubled` counts how often the cube was turned."""
        value = self.cube
        for _ in range(self.doubled):
            value += value
        return value

    def stake(self) -> int:
        """What a single game costs the player who leaves it now."""
        return self.cube if not self.doubled else self.offered() // 2

    # what the players do

    def opening_roll(self, white: int, black: int) -> None:
        if white == black:
            in_use = self.length is None and self.rules["cube"] and self.below_limit(self.cube)
            if in_use and self.ties < self.rules["auto_doubles"]:
                self.cube += self.cube
                self.ties += 1
            return
        self.turn = 0 if white > black else 1
        if self.rules["opening"] == "shared":
            self.dice, self.phase = {white, black}, "to_play"
        else:
            self.phase = "to_roll"

    def roll(self, dice: tuple[int, int]) -> None:
        self.dice, self.phase = set(dice), "to_play"

    def play(self, moves: list[tuple[int, int]]) -> None:
        me, other = self.board[self.turn], self.board[1 - self.turn]
        for source, target in moves:
            me[source] -= 1
            if target > 0:
                me[target] += 1
                if other[25 - target]:
                    other[25 - target] -= 1
                    other[25] += 1
        self.dice = None
        if self.on_board(self.turn) == 0:
            self.finish(self.turn, self.level_on_board(1 - self.turn), "played")
            self.turn = 1 - self.turn
        else:
            self.turn, self.phase = 1 - self.turn, "to_roll"

    def level_on_board(self, loser: int) -> int:
        if self.on_board(loser) < self.checkers:
            return 1
        return 3 if sum(self.board[loser][19:26]) else 2

    def double(self) -> None:
        self.doubled, self.phase = 1, "doubled"

    def beaver(self) -> None:
        self.doubled += 1

    def take(self) -> None:
        self.cube, self.owner = self.offered(), 1 - self.turn
        self.doubled, self.phase = None, "to_roll"

    def drop(self) -> None:
        winner = 1 - self.actor()
        self.leave(winner, 1, "dropped")

    def resign(self, seat: int, level: int) -> None:
        self.resigned = (seat, level, self.phase)
        self.phase = "resigned"

    def decline(self) -> None:
        self.phase, self.resigned = self.resigned[2], None

    def accept(self) -> None:
        seat, level, _ = self.resigned
        self.leave(1 - seat, level, "resigned")

    def forfeit(self, seat: int, points: int) -> None:
        """An arbiter's decision: nothing but score and result changes."""
        self.score[1 - seat] += points
        self.result = (1 - seat, None, points, "forfeited")
        self.phase, self.dice, self.doubled, self.resigned = "over", None, None, None

    def set_by_hand(self, points: list[int], checkers: int, turn: int) -> None:
        """An illegal play that stands, or an edited board: the turn is over, and one without checkers has won."""
        if self.result is not None:
            winner, _, counted, _ = self.result
            self.score[winner] -= counted
        self.set_board(points, checkers)
        self.turn, self.phase = turn, "to_roll"
        self.dice = self.doubled = self.resigned = self.result = None
        for seat in (0, 1):
            if self.on_board(seat) == 0:
                self.finish(seat, self.level_on_board(1 - seat), "played")
                self.turn = 1 - seat

    def leave(self, winner: int, level: int, how: str) -> None:
        """The game ends before its last play: a cube redoubled at once belongs to the player doubled first."""
        if self.doubled and self.doubled > 1:
            self.cube, self.owner = self.stake(), 1 - self.turn
        self.finish(winner, level, how)

    def finish(self, winner: int, level: int, how: str) -> None:
        if not self.rules["gammons"]:
            level = 1
        if not self.rules["backgammons"] and level == 3:
            level = 2
        if self.rules["jacoby"] and self.length is None and self.owner is None:
            level = 1
        if self.rules["scoring"] == "pips":
            level, points = 1, self.pips(1 - winner)
        else:
            points = self.cube * level
        self.score[winner] += points
        self.result = (winner, level, points, how)
        self.phase, self.dice, self.doubled, self.resigned = "over", None, None, None

    def next_game(self, starter: int | None, points: list[int], checkers: int) -> None:
        self.set_up(points, checkers)
        if starter is not None:
            self.turn, self.phase = starter, "to_roll"
