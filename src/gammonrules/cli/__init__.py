"""The command `gammonrules` (extra `cli`: click and rich)."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command; without click and rich, say in one sentence what to install."""
    try:
        from gammonrules.cli.app import app  # noqa: PLC0415 - click and rich are an extra
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in {"click", "rich"}:
            raise
        sentence = f"gammonrules: the command needs {missing}; install the extra: pip install 'gammonrules[cli]'"
        sys.stderr.write(sentence + "\n")
        sys.exit(2)
    app(prog_name="gammonrules")
