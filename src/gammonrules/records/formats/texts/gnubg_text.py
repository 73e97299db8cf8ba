"""GNU Backgammon's analyzed text ("export match text"): one game a file, or several one after another.

White is the program's player 0, O, which it names first; that is the left column of its own .mat files. It may have
exchanged the players of the record that it had read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import Final

import attrs
from attrs import define, field

from gammonrules.board import IllegalPlayError, Position
from gammonrules.dice import Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import Action, Cube, Double, MatchState, Pair, Phase, Player, SetPosition
from gammonrules.match.internals import add_points
from gammonrules.records.formats.match_reading import GameReplay, MatchReading, coin_game
from gammonrules.records.formats.texts.gnubg_analysis import analyses_in, note_of
from gammonrules.records.formats.texts.gnubg_boards import has_only_boards, read_boards
from gammonrules.records.formats.texts.gnubg_sheet import (
    MatchIdFields,
    TextDecision,
    TextGame,
    TextSheet,
    names_beside,
    read_sheet,
)
from gammonrules.records.formats.texts.text_patterns import DoubtfulLine, play_in
from gammonrules.records.transcript import (
    FindingKind,
    FindingLog,
    Game,
    Match,
    RecordedResult,
    Severity,
    Span,
    quoted,
)
from gammonrules.records.transcript.header_tags import (
    Tags,
    length_played,
    name_of,
    orders_of_dates,
    with_event_date,
)
from gammonrules.rules import MONEY, TOURNAMENT, Rules

_WORDS_OF_TAGS: Final = {
    "Date": "date datum fecha data dato päivä ajankohta 日時 dată дата dags",
    "Event": "event turnier rencontre evento begivenhed tapahtuma událost イベント eveniment событие",
    "Round": "round runde tour ronda turno kierros kolo rundă umferð",
    "Site": "place ort lieu lugar luogo sted paikka místo 場所 loc место",
    "Annotator": "annotator kommentator annotateur anotador notar kirjuri komentátor 注記 adnotator комментатор",
    "Comments": "comments kommentare commentaires comentarios commenti kommentarer kommentit poznámky コメント",
}
"""The words of the heading in the languages of the program; other headers keep their names."""
_TAGS: Final = {word: tag for tag, words in _WORDS_OF_TAGS.items() for word in words.split()}
_ACCEPTS = re.compile("accept|nimmt an|acepta|accett|ottaa|přijím|承認|þiggur")
_REJECTS = re.compile("reject|lehnt ab|refus|rechaza|rifiuta|afslår|ei ota|odmít|拒否|refuz|hafnar")
"""Only for an answer at the end of the text; otherwise what follows shows what was answered."""
_ENGLISH: Final = "The score ("
"""How a game begins in English. Every other language of the program writes the day before the month."""
_POINTS = re.compile(r"[^0-9:()+/]{1,60}?([0-9]{1,9})[^0-9:()+/]{0,60}")


def read_gnubg_texts(text: str) -> tuple[Match, ...]:
    """Read all matches of a text. Raises ParseError if it has no decision."""
    sheet = read_sheet(text)
    if not sheet.games:
        raise ParseError("there is no decision with a Position ID and a Match ID")
    if has_only_boards(sheet):
        return read_boards(sheet)
    is_english = any(game.text.lstrip().startswith(_ENGLISH) for game in sheet.games)
    possible_orders = {"dmy", "mdy"} if is_english else {"dmy"}
    orders = orders_of_dates(map(_tags, sheet.games), possible_orders, sheet.written)
    return tuple(_match_of_games(games, sheet.engine, orders) for games in _grouped_games(sheet))


def span_of_text(text: str) -> Span | None:
    """The place of the only game of a text in its match; None for other texts, and if it has no number."""
    sheet = read_sheet(text)
    if len(sheet.games) != 1 or has_only_boards(sheet):
        return None
    game = sheet.games[0]
    number = game.games_before
    before = _score_stated_before(game)
    if number is None or before is None:
        return None
    # games of the same identifiers were played in the same way
    played = hash(tuple(decision.identifiers for decision in game.decisions))
    return Span(
        (names_beside(game), _game_length(game), tuple(game.tags)),
        first=number,
        last=number,
        before=before,
        after=_score_stated_after(game),
        played=played,
    )


def _grouped_games(sheet: TextSheet) -> list[list[TextGame]]:
    """The games of each match. A new one begins where names or length change, or numbers or scores do not go on."""
    games = sheet.games
    # found once for each game, since it may have very many decisions, and none with a Match ID that says the length
    names_and_lengths = [(names_beside(game), _game_length(game)) for game in games]
    matches = [games[:1]]
    for index, (earlier, game) in enumerate(pairwise(games)):
        is_same_match = names_and_lengths[index] == names_and_lengths[index + 1]
        if is_same_match and _may_follow(earlier, game):
            matches[-1].append(game)
        else:
            matches.append([game])
    return matches


def _may_follow(earlier: TextGame, game: TextGame) -> bool:
    """Whether number and score of a game go on after an earlier one; games between them may be missing."""
    if earlier.games_before is None or game.games_before is None:
        return True
    missing_games = game.games_before - earlier.games_before - 1
    if missing_games < 0:
        return False
    score = _score_stated_before(game)
    score_after_earlier = _score_stated_after(earlier)
    least_score = score_after_earlier
    if least_score is None:
        least_score = _score_stated_before(earlier)
    if score is None or least_score is None:
        return True
    if missing_games == 0 and score_after_earlier is not None:
        return score == score_after_earlier
    return score[0] >= least_score[0] and score[1] >= least_score[1]


def _score_stated_before(game: TextGame) -> tuple[int, int] | None:
    """The score before a game; None if its first Match ID cannot be decoded."""
    facts = game.decisions[0].facts_or_none()
    return None if facts is None else facts.score


def _score_stated_after(game: TextGame) -> tuple[int, int] | None:
    """The score after a game, if that before it is known and its end is stated."""
    score = _score_stated_before(game)
    if score is None:
        return None
    names = names_beside(game)
    for line in reversed(game.decisions[-1].body):
        end = _end_in(line, names)
        if end is not None:
            winner, points = end
            return add_points(score, winner, points)
    return None


def _end_in(line: str, names: Pair[str]) -> tuple[Player, int] | None:
    """The winner and the points in a line such as `Ann wins a gammon and 2 points`; None for any other."""
    if not line.startswith(tuple(names)):  # as nearly all lines
        return None
    # the longer name first, since it may begin like the other one
    players = sorted(Player, key=lambda player: len(names[player]), reverse=True)
    for player in players:
        name = names[player]
        if name == "" or not line.startswith(f"{name} "):
            continue
        points = _POINTS.fullmatch(line[len(name) :])
        if points is not None:
            return player, int(points[1])
    return None


def _game_length(game: TextGame) -> int | None:
    for decision in game.decisions:
        facts = decision.facts_or_none()
        if facts is not None:
            return facts.length
    return game.length


def _match_of_games(games: list[TextGame], engine: str, orders: set[str]) -> Match:
    names = names_beside(games[0])
    length = _game_length(games[0])
    players = (name_of(names[0]), name_of(names[1]))
    tags = with_event_date(_tags(games[0]), orders)
    scores = [_score_stated_before(game) or (0, 0) for game in games]
    played_to = length_played(length, scores, tags)
    is_coin_game = played_to != length
    rules = MONEY if is_coin_game else _rules_shown(games, length)
    findings = FindingLog()
    if not all(players):
        findings.report(Severity.INFO, FindingKind.NO_PLAYER_NAME, "a player has no name")
    findings.extend(coin_game(length, played=played_to, text=games[0].text, line=games[0].line))
    reading = MatchReading(played_to, rules, findings)
    for index, game in enumerate(games, start=1):
        start = _start_by_first_decision(game, index, reading)
        if start is None:
            continue
        replay = GnubgReplay(
            index,
            start,
            findings,
            place=game,
            raw=game,
            names=names,
            engine=engine,
            length=length,
            coin_length=length if is_coin_game else None,
        )
        reading.games[index] = replay.run(len(reading.games) + 1)
    return reading.match(players, length, tags, (), "gnubg-text")


def _tags(game: TextGame) -> Tags:
    return tuple((_TAGS.get(name.lower(), name), value) for name, value in game.tags)


def _rules_shown(games: Sequence[TextGame], length: int | None) -> Rules:
    """The rules that the text shows: in money play Jacoby, and how many beavers and automatic doubles there were."""
    if length is not None:
        return TOURNAMENT
    beavers = MONEY.beavers
    jacoby = False
    auto_doubles = 0
    for game in games:
        for facts in game.facts():
            beavers = max(beavers, facts.beavers or 0)
            jacoby = jacoby or facts.jacoby
        doubles_of_cube = _cube_of_start(game).value.bit_length() - 1
        auto_doubles = max(auto_doubles, doubles_of_cube)
    return attrs.evolve(MONEY, jacoby=jacoby, beavers=beavers, auto_doubles=auto_doubles)


def _cube_of_start(game: TextGame) -> Cube:
    """The cube with which a game begins: ties in the opening roll have doubled one that is centered above 1."""
    first = game.decisions[0]
    facts = first.facts_or_none()
    if facts is None or facts.cube.owner is not None or first.position_id != Position.start().id:
        return Cube()
    return facts.cube


def _start_by_first_decision(
    game: TextGame, index: int, reading: MatchReading
) -> MatchState | None:
    """Begin a game as its first decision says; None if no game can begin like this."""
    facts = game.decisions[0].facts_or_none()
    if facts is None:
        return reading.start(index, game, (0, 0))
    cube = _cube_of_start(game) if reading.rules.auto_doubles > 0 else None
    return reading.start(index, game, facts.score, crawford=facts.crawford, cube=cube)


def _is_doubled(decision: TextDecision | None) -> bool:
    """Whether the Match ID of a decision has a double pending."""
    facts = None if decision is None else decision.facts_or_none()
    return facts is not None and facts.beavers is not None


@define
class GnubgReplay(GameReplay):
    raw: TextGame
    names: Pair[str]
    engine: str
    length: int | None
    """As the text states it, also of a coin game."""
    stated: RecordedResult | None = field(init=False, default=None)

    def run(self, number: int) -> Game:
        """The game, as far as it can be followed; `number` is its number if the text has none."""
        self.find_end()
        decisions = self.raw.decisions
        if len(decisions) > 1 and decisions[-1].identifiers == decisions[-2].identifiers:
            decisions = decisions[:-1]  # the program shows a dance before a resignation twice
        for decision, following in zip_longest(decisions, decisions[1:]):
            self.place = decision
            self.only_its_end_follows = following is None and self.is_won
            try:
                self.act(decision, decision.facts(), following)
            except GammonError as error:
                self.stop_at_error(error)
            if self.cut:
                break
            note = note_of(decision.body)
            if note and self.events:
                self.remark(note)
        if not self.cut and self.state.result is None:
            self.end()
        if self.raw.games_before is not None:
            number = self.raw.games_before + 1
        return self.game(number, self.stated)

    def act(
        self, decision: TextDecision, facts: MatchIdFields, following: TextDecision | None
    ) -> None:
        analyses = analyses_in(decision.body, self.engine)
        self.doubt_analysis(decision, analyses.damaged)
        is_answer = facts.beavers is not None  # since a double is pending
        if is_answer:
            begins_with_answer = self.state.offer is None and facts.beavers == 0
            if begins_with_answer:  # the text begins in mid-game, so it does not show the double
                self.before_turn(decision, facts)
                self.do(Action.DOUBLE, facts.on_roll)
            self.check(decision, facts)
            self.doubt_analysis(decision, analyses.unread(self.state).doubt)
            self.analyze_next(analyses.of_answer)
            self.answer(decision, following)
            return
        self.before_turn(decision, facts)
        self.analyze_next(analyses.of_double)
        if facts.dice is None:
            self.check(decision, facts)
            self.doubt_analysis(decision, analyses.unread(self.state).doubt)
            if decision.action is not None or _is_doubled(following):
                self.do(Action.DOUBLE, facts.on_roll)
            return
        self.roll(facts.on_roll, Dice.of(facts.dice))
        self.check(decision, facts)
        self.doubt_analysis(decision, analyses.unread(self.state).doubt)
        self.analyze_next(analyses.of_play)
        self.unplayed = analyses.of_play  # for a resignation instead of the play
        self.act_play(decision, facts, following)

    def doubt_analysis(self, decision: TextDecision, doubt: DoubtfulLine | None) -> None:
        """Report a line of the analysis of a decision, if there is one to be doubted."""
        if doubt is not None:
            place = attrs.evolve(decision, line=decision.body_numbers[doubt.at], text=doubt.text)
            self.refuse_analysis(doubt.note, place)

    def before_turn(self, decision: TextDecision, facts: MatchIdFields) -> None:
        """Set the position by hand where the text shows another one before a roll or a double."""
        state = self.state
        is_opening = state.phase is Phase.OPENING
        is_same_cube = state.cube == facts.cube
        is_same_board = state.position.id == decision.position_id
        is_opening_roll = is_opening and facts.dice is not None  # before which nobody is on roll
        is_same_turn = is_opening_roll or state.on_roll is facts.on_roll
        if is_same_board and is_same_cube and is_same_turn:
            return
        is_beaver_pending = isinstance(state.offer, Double) and state.offer.beavers > 0
        if is_beaver_pending and not is_same_cube:
            return  # the roll will accept the beaver, and so turn the cube
        begins_the_game = is_opening and not self.events
        self.set_by_hand(decision, facts, is_expected=begins_the_game)

    def set_by_hand(
        self, decision: TextDecision, facts: MatchIdFields, *, is_expected: bool
    ) -> None:
        """Set the position that the identifiers show, with a warning unless it `is_expected`."""
        if not is_expected:
            note = "the identifiers show a position that the game has not reached; that position is used"
            self.report(Severity.WARNING, FindingKind.POSITION_MISMATCH, note)
        position = Position.from_id(decision.position_id, checkers=self.state.position.checkers)
        self.apply(SetPosition(position, facts.on_roll, facts.cube))

    def check(self, decision: TextDecision, facts: MatchIdFields) -> None:
        """Report where the identifiers differ from the state in which the decision is made."""
        state = self.state
        beavers = state.offer.beavers if isinstance(state.offer, Double) else None
        is_same_roll = sorted(state.dice or ()) == sorted(facts.dice or ())  # in any order
        is_same_score = state.score == facts.score and self.length == facts.length
        agreements = {
            "the position": state.position.id == decision.position_id,
            "the player on roll": state.on_roll is facts.on_roll,
            "the dice": is_same_roll,
            "the cube": state.cube == facts.cube,
            "the double": beavers == facts.beavers,
            "the score": is_same_score,
            "the Crawford game": state.crawford == facts.crawford,
        }
        differences = [name for name, agrees in agreements.items() if not agrees]
        if differences:
            words = " and ".join(differences)
            note = f"the identifiers differ from the game as it was played, in {words}"
            self.report(Severity.WARNING, FindingKind.POSITION_MISMATCH, note)

    def act_play(
        self, decision: TextDecision, facts: MatchIdFields, following: TextDecision | None
    ) -> None:
        """The play of a roll. After an illegal one the next position is set by hand."""
        if decision.action is None:
            if following is not None:
                self.stop(FindingKind.HIDDEN_PLAY, "the play is not shown", Severity.WARNING)
            return
        # a name might look like a play
        moves = play_in(decision.action.removeprefix(self.names[facts.on_roll]))
        try:
            self.do_play(facts.on_roll, self.state.legal_plays.find(moves))
        except IllegalPlayError as error:
            is_lost = self.stated is not None and self.stated.winner is facts.on_roll.opponent
            is_last_without_play = following is None and not moves
            if is_last_without_play and is_lost:  # a roll before a resignation
                return
            after = None if following is None else following.facts_or_none()
            if following is None or after is None:  # there is no position to go on from
                raise
            if after.beavers is not None:  # nor is there one before the answer to a double
                raise
            note = f"{error}; the game goes on from the next position in the text"
            self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, note)
            self.set_by_hand(following, after, is_expected=True)

    def answer(self, decision: TextDecision, following: TextDecision | None) -> None:
        """The answer to a double, which shows in what follows it."""
        offer = self.state.offer
        if not isinstance(offer, Double):
            raise ParseError("this answers a double, but none is pending")
        if following is None:
            action = self.last_answer(decision, offer.answerer)
        else:
            beavers_after = following.facts().beavers
            is_beaver = beavers_after == offer.beavers + 1
            action = Action.BEAVER if is_beaver else Action.TAKE
        if action is not None:
            self.do(action, offer.answerer)

    def last_answer(self, decision: TextDecision, by: Player) -> Action | None:
        """The answer to a double that nothing follows, except perhaps the end of the game; None if nothing shows it."""
        result_of_drop = self.state.drop(by=by).result
        stated = self.stated
        if stated is not None and result_of_drop is not None:
            is_winner_same = stated.winner is result_of_drop.winner
            is_drop = is_winner_same and stated.points == result_of_drop.points
            return Action.DROP if is_drop else Action.TAKE
        words = (decision.action or "").removeprefix(self.names[by]).lower()
        if _REJECTS.search(words):
            return Action.DROP
        return Action.TAKE if _ACCEPTS.search(words) else None

    @property
    def is_won(self) -> bool:
        """Whether the text says who won how much."""
        stated = self.stated
        return stated is not None and stated.winner is not None and stated.points is not None

    def find_end(self) -> None:
        """The result on a line below the last decision, such as `Ann wins a gammon and 2 points`, before statistics."""
        body = self.raw.decisions[-1].body
        for at in reversed(range(len(body))):
            end = _end_in(body[at], self.names)
            if end is not None:
                winner, points = end
                self.stated = RecordedResult(winner, points, text=quoted(body[at]))
                del body[at:]  # the rest are statistics, which are no analysis of the decision
                return

    def end(self) -> None:
        """The end of a game that stops before its end: a resignation, for which the program prints no line."""
        stated = self.stated
        if stated is None or stated.winner is None or self.state.phase is Phase.OPENING:
            self.report_no_result()
        else:
            self.end_early(stated.winner.opponent, stated.points, "the record only states points")
