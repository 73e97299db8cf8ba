"""The messages of a part of the library whose extra is not installed, or whose package was removed from this copy."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module

from gammonrules._shared.guessed_names import message_for

INSTALL = 'see https://gammonrules.github.io/gammonrules/install/: python -m pip install ".[{}]"'
"""What to type for an extra; `.ci/new_version.py` changes it with the first release."""
EXAMPLES = "gammonrules examples writes the folder examples"
"""What to say where a file or a module of the examples is asked for, and the folder is not there."""


def missing(who: str, library: str, extra: str) -> str:
    """The sentence about a library that is not installed."""
    return f"{who} needs {library}; {INSTALL.format(extra)}"


@contextmanager
def importing(library: str, who: str, extra: str) -> Generator[None, None, None]:
    """Import a library of an extra in a `with` block.

    Raises:
        ImportError: the library is not installed. If it is, but misses something itself, that error is left as it is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != library.lower():
            raise
        raise ImportError(missing(who, library, extra), name=error.name) from error


@contextmanager
def importing_package(package: str, who: str) -> Generator[None, None, None]:
    """Import from a package of this library that a copy may lack, in a `with` block.

    Raises:
        ImportError: the package is missing, or a module that needs it. If another library is missing, its error is left
            as it is.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("gammonrules."):
            raise
        needed = (
            f"the package gammonrules.{package}, which this copy of gammonrules does not contain"
        )
        raise ImportError(f"{who} needs {needed}", name=error.name) from error


def when_named(package: str, *modules: str, **homes: tuple[str, ...]) -> Callable[[str], object]:
    """A `__getattr__` for a package: what needs an extra, or time to load, is imported when it is asked for.

    Type checkers must not see it, since they would then accept every misspelled name.

    Args:
        package: the name of the package.
        modules: its modules that are imported so.
        homes: by a module of the package, the names that are taken from there.
    """
    home_of: dict[str, str] = {}
    for home, names in homes.items():
        for name in names:
            home_of[name] = home

    def imported(name: str) -> object:
        if name in modules:
            return import_module(f"{package}.{name}")
        if name in home_of:
            return getattr(import_module(f"{package}.{home_of[name]}"), name)
        raise AttributeError(message_for(f"module {package!r}", package, name))

    return imported
