"""The script of an opponent, whose code and weights the package has once, in `c/`, and not in each script."""

from base64 import b64encode
from importlib.resources import files
from typing import Final

_SIGNS: Final = [sign for sign in map(chr, range(32, 126)) if sign not in '"<\\']
"""Those that a string has within HTML."""


def with_opponent(script: str) -> str:
    """A script with the code and the weights, as `web/build.mjs` puts them into those of the npm package."""
    folder = files("gammonrules").joinpath("c")
    weights = folder.joinpath("selftaught.bin").read_bytes()
    upper_bytes = weights[1::2]
    signs = bytearray(-(-len(upper_bytes) // 8))
    for number, byte in enumerate(upper_bytes):
        signs[number // 8] |= byte // 128 << number % 8
    texts = {
        "code": _as_signs(folder.joinpath("opponent.wasm").read_bytes()),
        "high": _as_signs(bytes(byte % 128 for byte in upper_bytes)),
        "low": b64encode(weights[::2] + signs).decode("ascii"),
    }
    for name, text in texts.items():
        script = script.replace(f'"{{{name}}}"', f'"{text}"')
    return script


def _as_signs(data: bytes) -> str:
    """A sign for each byte, and before it a tilde for each 91 that the byte is above the sign."""
    base = len(_SIGNS)
    return "".join("~" * (byte // base) + _SIGNS[byte % base] for byte in data)
