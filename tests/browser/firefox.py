"""Firefox, driven by WebDriver BiDi over a WebSocket, since playwright drives only a Firefox of its own."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import processes

PROGRAMS = ("firefox-esr", "firefox")
KEYS = {
    "Enter": "\ue007",
    "Tab": "\ue004",
    "Shift": "\ue008",
    "Backspace": "\ue003",
    "ArrowLeft": "\ue012",
    "ArrowRight": "\ue014",
}

# Firefox makes a click of a touch of at most 0.3 seconds, and on a busy machine ours may last longer.
SETTINGS = 'user_pref("ui.prefersReducedMotion", 1);\nuser_pref("apz.max_tap_time", 60000);\n'


class Firefox:
    """One page. Its methods are those of `test_board.Chromium`."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.number = socket, 0
        self.ask("session.new", capabilities={})
        # The tab that is there is not in front: keys press no button in it.
        self.page = self.ask("browsingContext.create", type="tab")["context"]

    def ask(self, method: str, **parameters: Any) -> Any:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        answer = {}
        while answer.get("id") != self.number:  # the others are events
            answer = json.loads(self.socket.recv(timeout=60))
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, url: str) -> None:
        self.ask("browsingContext.navigate", context=self.page, url=url, wait="complete")

    def evaluate(self, function: str, argument: object = None) -> Any:
        """What a function of JavaScript gives for a value; both travel as JSON."""
        made = self.ask(
            "script.callFunction",
            functionDeclaration=f"async text => JSON.stringify(await ({function})(JSON.parse(text)) ?? null)",
            arguments=[{"type": "string", "value": json.dumps(argument)}],
            target={"context": self.page},
            awaitPromise=True,
        )
        assert made["type"] == "success", made
        return json.loads(made["result"]["value"])

    def pointer(self, places: Sequence[tuple[float, float]], kind: str = "mouse", button: int = 0) -> None:
        """Press at the first place, go to the others, and let go."""
        first, *others = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in places]
        actions = [first, {"type": "pointerDown", "button": button}, *others, {"type": "pointerUp", "button": button}]
        self.act(type="pointer", id=kind, parameters={"pointerType": kind}, actions=actions)

    def press(self, key: str) -> None:
        keys = [{"value": KEYS.get(key_name, key_name)} for key_name in key.split("+")]
        down, up = ([key | {"type": kind} for key in keys] for kind in ("keyDown", "keyUp"))
        self.act(type="key", id="keys", actions=down + up)

    def act(self, **source: Any) -> None:
        self.ask("input.performActions", context=self.page, actions=[source])


@contextmanager
def opened(profile: Path) -> Iterator[Firefox]:
    """A Firefox of its own for a while; the test is skipped where there is none, and in the plain command."""
    pytest.importorskip("playwright", reason="the extra browser is not installed")
    client = pytest.importorskip("websockets.sync.client")
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(f"there is no Firefox ({', '.join(PROGRAMS)})")
    (profile / "user.js").write_text(SETTINGS, encoding="utf-8")
    with processes.running(
        *(program, "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"),
        seconds=1200,  # of processor time, for all long tests
    ) as process:
        lines = iter(process.stderr.readline, "")
        address = next(filter(None, (re.search(r"ws://\S+", line) for line in lines)))[0]
        with client.connect(f"{address}/session", max_size=None, proxy=None) as socket:
            yield Firefox(socket)
