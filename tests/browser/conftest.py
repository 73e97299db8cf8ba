"""A browser for the tests of pages: Chromium, driven by playwright; without either, these tests are skipped.

A test opens pages by `open_page` and serves files by `serve`. When it ends, a page that has asked another machine for
anything, or has written an error to the console, fails it.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import processes
from visits import LOOPBACK, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OPTIONS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
    f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {LOOPBACK}",
)
"""Containers often run as root and without a graphics card; no name leads anywhere but to this machine."""

NO_SEARCH = b'{"config": {"lang": ["en"], "separator": "-", "pipeline": [], "fields": {}}, "docs": []}'

type_of = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".whl": "application/zip"}
"""What some systems' own tables of types get wrong, or do not know."""


GATE = (
    "alone alone_match board browser clicks made_types match_page matrix_pages narrow_cells"
    " one_page report_page setup site try_it_match"
).split()
"""The files that the gate tries, all but one in Chromium; whole games, notebooks, packages and Firefox take long."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        is_here = item.path.parent == HERE
        is_of_gate = item.path.stem.removeprefix("test_") in GATE and "firefox" not in item.name
        if is_here and not is_of_gate:
            item.add_marker("long")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for one file: playwright keeps an event loop running, which must not meet the tests of others."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(f"there is no Chromium ({', '.join(PROGRAMS)})")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def node_module() -> Callable[[str], Path]:
    """The folder of an npm package: `node_module("axe-core")`; a package that is not installed skips the test."""

    def folder(name: str) -> Path:
        modules = Path(os.environ.get("GAMMONRULES_NODE_MODULES") or HERE / "node_modules")
        if not (modules / name / "package.json").exists():
            pytest.skip(f"the npm package {name} is not installed (see docs/development/tests.md)")
        return modules / name

    return folder


class Files(SimpleHTTPRequestHandler):
    """The files of a folder, without a word about each request."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | type_of

    def __init__(self, *arguments: Any, headers: dict[str, str], search: bool, **options: Any) -> None:
        self.more, self.search = headers, search
        super().__init__(*arguments, **options)

    def do_GET(self) -> None:
        if self.search or not self.path.endswith("/search_index.json"):
            super().do_GET()
            return
        self.send_response(200)
        self.end_headers()
        self.wfile.write(NO_SEARCH)

    def end_headers(self) -> None:
        for name, value in self.more.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:  # the name of the method overridden
        pass


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as a site: the folder that GAMMONRULES_SITE names, or one that is built now."""
    if folder := os.environ.get("GAMMONRULES_SITE"):
        return Path(folder)
    pytest.importorskip("mkdocs", reason="the documentation generator is not installed")
    built = tmp_path_factory.mktemp("site")
    options = ("--strict", "--site-dir", built)
    processes.run(
        sys.executable, "-m", "mkdocs", "build", *options, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    )
    return built


class Server(ThreadingHTTPServer):
    """A server that says nothing about browsers which close a page while it loads."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def served(folder: Path, headers: dict[str, str], search: bool) -> Iterator[str]:
    handler = functools.partial(Files, directory=os.fspath(folder), headers=headers, search=search)
    with Server((LOOPBACK, 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://{LOOPBACK}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="module")
def serve() -> Iterator[Callable[..., str]]:
    """`serve(folder, headers={})` is the address at which the files of a folder are served until the file ends.

    A page of the site makes an index of all others only with `search=True`, since that takes longer than all else.
    """
    with ExitStack() as servers:

        def start(folder: Path, headers: dict[str, str] | None = None, *, search: bool = False) -> str:
            return servers.enter_context(served(folder, headers or {}, search))

        yield start


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """`open_page(url, dark=False, width=1280, height=800, expected=())` is a page in a context of its own.

    More options are those of playwright's `new_context`, such as `java_script_enabled` or `has_touch`. The test fails
    if a page asked another machine for anything, or if its console got an error that contains none of `expected`.
    """
    with pages(browser) as start:
        yield start


LOOKS = {"desk": {"dark": False, "width": 1280, "height": 800}, "phone": {"dark": True, "width": 390, "height": 844}}


@pytest.fixture(params=LOOKS)
def look(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Runs a test twice, light on a desk and dark on a phone: `open_page(url, **look)`."""
    return LOOKS[request.param]


@pytest.fixture
def violations(node_module: Callable[[str], Path]) -> Callable[..., list[str]]:
    """`violations(page)` lists what axe-core finds serious or critical: the rule, and the first elements that break it.

    `violations(page, "main")` looks at a part of the page.
    """
    program = (node_module("axe-core") / "axe.min.js").read_text(encoding="utf-8")

    def search(page: Page, part: str = "html") -> list[str]:
        page.evaluate(program)
        violations = page.evaluate(
            "async part => (await axe.run(part, {resultTypes: ['violations']})).violations", part
        )
        return [
            f"{rule['id']} ({rule['impact']}): {[node['html'][:200] for node in rule['nodes'][:3]]}"
            for rule in violations
            if rule["impact"] in {"serious", "critical"}
        ]

    return search


@pytest.fixture
def picture(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """`picture(page, "name")` saves what the page looks like if GAMMONRULES_PICTURES names a folder."""

    def save(page: Page, name: str, *, full_page: bool = True) -> None:
        if folder := os.environ.get("GAMMONRULES_PICTURES"):
            page.screenshot(path=Path(folder) / f"{name}.png", full_page=full_page)

    return save
