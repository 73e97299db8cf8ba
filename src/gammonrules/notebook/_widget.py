"""What the widgets have in common: one script for a page, the answer to its messages, and a still picture."""

# Neither what a page sends nor ipywidgets and IPython have types.
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportMatchNotExhaustive=false, reportUnusedParameter=false

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, TypeVar
from uuid import uuid4

from anywidget import AnyWidget
from IPython.display import display, update_display
from traitlets import Bunch, TraitType, Unicode

from gammonrules.draw import match_board_js
from gammonrules.draw.internals import built_script


@cache
def script() -> str:
    """The module that a page loads once for all widgets, when the first of them asks for it."""
    return match_board_js(module=True) + built_script("notebook.js")


@cache
def _loader(name: str) -> str:
    """The script that is sent with each widget: it finds the large one in the page, or asks for it."""
    digest = sha256(script().encode()).hexdigest()[:12]
    loader = files("gammonrules.notebook").joinpath("loader.js").read_text(encoding="utf-8")
    return loader.replace("HASH", digest).replace("NAME", name)


_Got = TypeVar("_Got")
_Set = TypeVar("_Set")


class Shown(TraitType[_Got, _Set]):
    """What a widget shows, by its method `_show_other` where somebody sets it."""

    default_value: Any = None

    def set(self, obj: Any, value: _Set) -> None:
        """Show something else, for each way in which `traitlets` sets it."""
        obj._show_other(value)  # noqa: SLF001 - of a LiveWidget


class LiveWidget(AnyWidget):
    """A widget of this library. The page changes nothing in it: it sends messages, which are a stranger's input.

    What others may observe are traits, which `_set_traits` sets; what of them a page sees is only read.

    A subclass draws its `_still`, and reads messages with `_receive`; its script, in `web/src/notebook`,
    is the function `VIEWS.<class>`, which draws into `el` and returns what ends it.
    """

    _esm = Unicode().tag(sync=True)
    _mark = Unicode().tag(sync=True)
    """Of the still pictures that stand in for the widget."""

    def __init__(self) -> None:
        # In the place of the method of ipywidgets, so that a page sets no trait. A method of this class would do it
        # too, but would be a member that users see.
        self.set_state = self._ignore
        super().__init__(_esm=_loader(type(self).__name__), _mark=uuid4().hex)
        self._loop: asyncio.AbstractEventLoop | None = None  # in a program that is no notebook
        with suppress(RuntimeError):
            self._loop = asyncio.get_running_loop()
        self._is_shown = False

    def _still(self) -> str:
        """The present picture, as HTML."""
        raise NotImplementedError

    def _receive(self, message: Mapping[str, Any]) -> None:
        """Read a message of the page; its values may be anything."""
        raise NotImplementedError

    def _ignore(self, sync_data: Mapping[str, Any]) -> None:
        """Ignore what a page sends for traits, in marimo also past `_handle_msg`."""

    def _set_traits(self, **traits: object) -> None:
        """Set these traits, and then call their observers, so that each sees all of them, and none is left out.

        Raises what the first of them raised.
        """
        changes = list[Bunch]()
        for name, new in traits.items():
            old = getattr(self, name)
            if old != new:
                changes.append(Bunch(name=name, old=old, new=new, owner=self, type="change"))
        self._trait_values.update(traits)  # to set them one by one would call observers in between
        errors = list[Exception]()
        with self.hold_sync():
            for change in changes:
                try:
                    self.notify_change(change)
                except Exception as error:  # noqa: BLE001 - of the caller's program
                    errors.append(error)
        if errors:
            raise errors[0]

    def _on_loop(self, call: Callable[..., None], *arguments: object) -> None:
        """Call a function from another thread: on the kernel's loop, where cells run, or at once if there is none."""
        if self._loop is None:
            call(*arguments)
        else:
            self._loop.call_soon_threadsafe(call, *arguments)

    def _handle_msg(self, msg: Mapping[str, Any]) -> None:
        """Take a message from ipywidgets or marimo, here and in Jupyter in a thread of its own."""
        match msg:
            case {"content": {"data": {"method": "request_state"}}}:
                self.send_state()
            case {"content": {"data": {"content": {"ask": "script"}}}}:
                self.send({"script": script()})
            case {"content": {"data": {"content": dict() as message}}}:
                self._on_loop(self._receive, message)

    # --- where no widget runs -----------------------------------------------------------------------------------------

    def _ipython_display_(self) -> None:
        """The widget, and below it the still picture, which it hides: to renew one output would draw it again."""
        if self.comm is not None:  # it is not closed
            data, _ = super()._repr_mimebundle_() or ({}, {})
            display(data | {"text/html": "", "text/plain": ""}, raw=True)  # type: ignore[no-untyped-call]
        display(self._bundle(), raw=True, display_id=self._mark)  # type: ignore[no-untyped-call]
        self._is_shown = True

    def _renew_still(self) -> None:
        """Draw the still pictures that IPython shows as the widget is now."""
        if self._is_shown:
            update_display(self._bundle(), raw=True, display_id=self._mark)  # type: ignore[no-untyped-call]

    def _bundle(self) -> dict[str, str]:
        html = (
            f'<div data-gammonrules="{self._mark}" style="max-width: 40rem">{self._still()}</div>'
        )
        return {"text/html": html, "text/plain": repr(self)}
