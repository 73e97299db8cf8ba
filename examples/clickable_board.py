"""A board that takes clicks: run this file, and open http://127.0.0.1:8000."""

from random import SystemRandom
from wsgiref.simple_server import make_server

from gammonrules import Dice, MatchState, draw

PAGE = """<!doctype html><title>Backgammon</title>
<main id="board" style="max-width: 100vh"></main>
<button data-point="undo">Undo</button> <button data-point="done">Done</button>
<script>onclick = async ({ target }) => {
  const place = target.closest("[data-point]")?.dataset.point;
  const answer = await fetch(`/${place}`, { method: "POST" });
  board.innerHTML = await answer.text();
}; document.body.click();</script>"""
POINTS = {str(point): point for point in range(1, 25)} | {"bar": 25, "off": 0}


def game(rng):  # yields pictures, and is sent the places that are clicked
    state = MatchState.new(None).opening_roll(*rng.sample(range(1, 7), 2))
    while not state.result:
        plays, made, source, place = state.legal_plays, [], None, None
        while place != "done" or not plays.is_complete(made):
            moves = {(m.from_point, m.to_point) for m in plays.next_moves(made)}
            ends = [to for at, to in moves if at == source]
            marks = {"highlight": [at for at, _ in moves], "targets": ends}
            place = yield draw.svg.table(state, so_far=made, **marks)
            if place == "undo":
                made = made[:-1]
            elif (move := (source, POINTS.get(place))) in moves:
                made, place = [*made, move], None
            source = POINTS.get(place)
        state = state.play(made)
        state = state if state.result else state.roll(Dice.random(rng))
    while True:
        yield draw.svg.table(state)


def page(request, start):
    start("200 OK", [("Content-Type", "text/html; charset=utf-8")])
    clicked = request["REQUEST_METHOD"] == "POST"
    yield (board.send(request["PATH_INFO"][1:]) if clicked else PAGE).encode()


board = game(SystemRandom())
next(board)
if __name__ == "__main__":
    make_server("127.0.0.1", 8000, page).serve_forever()
