"""`python -m gammonrules` runs the command `gammonrules`, even if that is not on the search path."""

from __future__ import annotations

import sys
from pathlib import Path

from gammonrules.cli import main

if __name__ == "__main__":
    # Python has put it there; now nothing in it stands in for a library
    if sys.path[0] == str(Path.cwd()):
        sys.path.append(sys.path.pop(0))
    main()
