"""`python -m gammonrules` runs the command `gammonrules`, even if that is not on the search path."""

from __future__ import annotations

from gammonrules.cli import main

if __name__ == "__main__":  # the processes of `export` load this file too
    main()
