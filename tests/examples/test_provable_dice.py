"""`examples/provable_dice.py` and its script for pages: honest dice pass the check, and each way to cheat is found."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import processes
from gammonrules import Player

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.append(str(EXAMPLES))
from provable_dice import ProvableDice, dice_of, hash_of_number  # noqa: E402

WHITE, BLACK = Player
SECRET = bytes(range(32))
NUMBERS = {WHITE: "7" * 40, BLACK: "5" * 40}
OTHER = "6" * 40


def bound() -> ProvableDice:
    """The dice of a match in which both hashes are known."""
    dice = ProvableDice(SECRET)
    for player, number in NUMBERS.items():
        dice.bind(player, hash_of_number(player, number))
    return dice


def test_the_rule() -> None:
    """Byte by byte, and all dice are equally frequent."""
    dice = bound()
    for player, number in NUMBERS.items():
        dice.show(player, number)
    for n in range(200):
        message = f"{NUMBERS[WHITE]}:{NUMBERS[BLACK]}:{n}:0".encode()
        block = hmac.new(SECRET, message, hashlib.sha256).digest()
        assert dice.roll() == tuple([byte % 6 + 1 for byte in block if byte < 252][:2])
    counts = Counter(dice_of(SECRET, "1", "2", n) for n in range(36_000))
    assert len(counts) == 36
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 72  # chi-squared: about 1 in 5,000


def test_bytes_that_would_favor_low_numbers_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if a whole block has none other."""
    blocks = {b"1:2:0:0": bytes([252, 255]), b"1:2:0:1": bytes([253, 251]), b"1:2:0:2": bytes([0, 1])}
    monkeypatch.setattr("provable_dice.hmac", type("", (), {"digest": lambda _, message, __: blocks[message]}))
    assert dice_of(SECRET, "1", "2", 0) == (6, 1)


def test_a_number_is_shown_when_both_are_bound_and_matches_its_hash() -> None:
    dice = ProvableDice(SECRET)
    dice.bind(WHITE, hash_of_number(WHITE, NUMBERS[WHITE]))
    with pytest.raises(ValueError, match="cannot change"):
        dice.bind(WHITE, hash_of_number(WHITE, OTHER))
    with pytest.raises(ValueError, match="both players"):
        dice.show(WHITE, NUMBERS[WHITE])
    dice.bind(BLACK, hash_of_number(WHITE, NUMBERS[WHITE]))  # a copy of White's hash
    for player, number in [(WHITE, OTHER), (BLACK, NUMBERS[WHITE])]:
        with pytest.raises(ValueError, match="match the hash"):
            dice.show(player, number)
    dice.show(WHITE, NUMBERS[WHITE])
    with pytest.raises(KeyError):
        dice.roll()
    short = bound()
    short.hashes[WHITE] = hash_of_number(WHITE, "7")
    with pytest.raises(ValueError, match="40 digits"):
        short.show(WHITE, "7")
    assert SECRET.hex() not in repr(dice)


def another_secret(match: Any) -> None:
    match["proof"]["secret"] = bytes(32).hex()


def another_number(match: Any) -> None:
    match["proof"]["numbers"]["black"] = OTHER


def another_hash(match: Any) -> None:
    """As if the number was chosen after White had shown theirs: the hash is not the one that the page saw."""
    another_number(match)
    match["seen"]["hashes"]["black"] = hash_of_number(WHITE, OTHER)


def another_roll(match: Any) -> None:
    match["seen"]["rolls"][3] = match["seen"]["rolls"][3][::-1]


def a_roll_left_out(match: Any) -> None:
    del match["seen"]["rolls"][0]


CHEATS: dict[Callable[[Any], None], str] = {
    lambda _: None: "All 20 rolls are right.\n",
    another_secret: "The server's secret does not match its hash.\n",
    another_number: "The number of black does not match its hash.\n",
    another_hash: "The number of black does not match its hash.\n",
    another_roll: "Roll 3 must be ",
    a_roll_left_out: "Roll 0 must be ",
}


def an_empty_secret(match: Any) -> None:
    match["proof"]["secret"] = ""


def a_secret_of_other_digits(match: Any) -> None:
    match["proof"]["secret"] = "z" * 64


def no_number(match: Any) -> None:
    del match["proof"]["numbers"]["black"]


def no_hash(match: Any) -> None:
    match["seen"]["hashes"]["white"] = None


def no_rolls(match: Any) -> None:
    del match["seen"]["rolls"]


def numbers_as_rolls(match: Any) -> None:
    match["seen"]["rolls"] = [1, 2]


def no_proof(match: Any) -> None:
    del match["proof"]


MALFORMED: dict[Callable[[Any], None], str] = {
    an_empty_secret: "proof.secret",
    a_secret_of_other_digits: "proof.secret",
    no_number: "proof.numbers",
    no_hash: "seen.hashes",
    no_rolls: "seen.rolls",
    numbers_as_rolls: "seen.rolls",
    no_proof: "proof.secret",
}


def rolls_with_two_dice(match: Any) -> bool:
    """Whether turning roll 3 and removing roll 0 change the rolls."""
    rolls = match["seen"]["rolls"]
    return rolls[3][0] != rolls[3][1] and rolls[0] != rolls[1]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_page_finds_out_who_cheats() -> None:
    match: Any = None
    while match is None or not rolls_with_two_dice(match):
        match = json.loads(processes.run(sys.executable, EXAMPLES / "provable_dice.py").stdout)
    for cheat, expected in CHEATS.items():
        changed = copy.deepcopy(match)
        cheat(changed)
        said = checked(json.dumps(changed))
        assert said.startswith(expected), (cheat, said)
    for malform, part in MALFORMED.items():
        changed = copy.deepcopy(match)
        malform(changed)
        assert checked(json.dumps(changed)) == f"The proof is incomplete: {part} is missing or malformed.\n"


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_input_that_is_no_match() -> None:
    for text in ("", '{"seen": {"rolls"'):
        assert re.fullmatch(r"The input is not JSON: .+\n", checked(text)), text
    for foreign in ("null", "[]", "7", '{"name": "gammonrules"}'):
        said = checked(foreign)
        assert said == "The proof is incomplete: seen.secretHash is missing or malformed.\n", foreign


def checked(text: str) -> str:
    with processes.running(
        "node", EXAMPLES / "provable_dice.mjs", stdin=processes.subprocess.PIPE, megabytes=1 << 20
    ) as node:
        return str(node.communicate(text)[0])


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_number_of_a_page_is_taken() -> None:
    program = """
    const { drawNumber, hashOfNumber } = await import(process.argv.at(-1));
    const number = drawNumber();
    console.log(number, await hashOfNumber("black", number));
    """
    module = (EXAMPLES / "provable_dice.mjs").as_uri()
    command = "node", "--input-type=module", "-e", program, "-", module
    number, its_hash = processes.run(*command, megabytes=1 << 20).stdout.split()
    dice = ProvableDice()
    dice.bind(WHITE, hash_of_number(WHITE, OTHER))
    dice.bind(BLACK, its_hash)
    dice.show(BLACK, number)
    assert dice.numbers == {BLACK: number}
