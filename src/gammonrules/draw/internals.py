"""What other parts of the library need of drawings besides their public names."""

from gammonrules.draw._packing import packed as packed

__all__ = ["packed"]
