"""A board to play on: run this file, and open http://127.0.0.1:8000."""

import json
from random import SystemRandom
from wsgiref.simple_server import make_server

from gammonrules import Dice, MatchState, draw

PAGE = "<!doctype html><meta name=viewport content=width=device-width>"
PAGE += f"<title>Backgammon</title><script>{draw.board_js()}</script>"
PAGE += """<gammon-board id=board style=max-width:100vh></gammon-board><script>
async function ask({ detail }) {
  const body = JSON.stringify({ ...detail, turn: detail && board.view.turn });
  const answer = await (await fetch("/", { method: "POST", body })).json();
  answer.reason ? detail.explain(answer.reason) : (board.view = answer);
}
const tell = (event) => ask(event).catch(() => setTimeout(tell, 1000, {}));
for (const act of ["play", "illegal"]) addEventListener(`gammon-${act}`, tell);
tell({});</script>"""


class Game:
    def __init__(self, rng):
        self.rng, self.played, opening = rng, [None], rng.sample(range(1, 7), 2)
        self.state = MatchState.new(None).opening_roll(*opening)

    def answer(self, sent):
        if sent.get("turn") == len(self.played):  # a second tab may be late
            plays = self.state.legal_plays
            if "to" in sent:
                why = plays.why(sent["from"], sent["to"], sent["moves"])
                return json.dumps({"reason": str(why)})
            self.played.append(plays.find(sent["moves"]))
            new = self.state.play(self.played[-1])
            self.state = new if new.result else new.roll(Dice.random(self.rng))
        svg = draw.svg.match_state(self.state, last_play=self.played[-1])
        tree = None if self.state.result else self.state.legal_plays.tree().data
        return json.dumps({"turn": len(self.played), "svg": svg, "tree": tree})

    def page(self, env, start):
        is_own = env.get("HTTP_ORIGIN") == "http://" + env.get("HTTP_HOST", "")
        it = env["wsgi.input"].read(int(env.get("CONTENT_LENGTH") or 0)) or "{}"
        start("200 OK", [("Content-Type", "text/html; charset=utf-8")])
        return [(self.answer(json.loads(it)) if is_own else PAGE).encode()]


if __name__ == "__main__":
    make_server("127.0.0.1", 8000, Game(SystemRandom()).page).serve_forever()
