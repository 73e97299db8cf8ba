"""Boards that live in a notebook, in Jupyter or marimo (extra `notebook`)."""

from gammonrules._shared.extras import importing

with importing("anywidget", "gammonrules.notebook", "notebook"):
    import anywidget  # noqa: F401 - only to say what is missing  # pyright: ignore[reportUnusedImport]

__all__: list[str] = []
__dir__ = __all__.copy
