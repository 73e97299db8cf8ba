"""`examples/web` under connections that ask for nothing, never finish, or never read: others go on playing."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from json import dumps, loads
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

import loop
import processes

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path += [str(EXAMPLES), str(EXAMPLES / "web")]

import house  # noqa: E402
import server  # noqa: E402

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "web-game.md"
HAPROXY = shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin:/usr/local/bin:/usr/bin:/opt/homebrew/bin")
MANY = 950
MAX_FILES = 10_000  # HAProxy wants two for each of its connections
SECONDS = 2.0
SITE = "http://127.0.0.1"
HEAD = f"Host: localhost\r\nOrigin: {SITE}\r\n".encode()
ATTACKS = {
    "silent": b"",
    "half heads": b"GET / HTTP/1.1\r\n" + HEAD,
    "unfinished bodies": b"POST /tables HTTP/1.1\r\nContent-Length: 1000\r\n" + HEAD + b"\r\n{",
    "pictures that nobody reads": b"GET /board.js HTTP/1.1\r\n" + HEAD + b"\r\n",
}


@pytest.fixture(autouse=True)
def many_open_files() -> Iterator[None]:
    """Both ends of the connections are in this process."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < MAX_FILES:
        pytest.skip("this process may open too few files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, MAX_FILES), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@contextmanager
def running(database: Path, proxy: str | None = None, **others: Any) -> Iterator[Any]:
    """A server with the usual limits, but for these, and shorter times."""
    limits = house.Limits(**{"seconds": SECONDS, "response": SECONDS, **others})
    app = server.create_app(database, [SITE], limits=limits)
    served = server.serve(app, "127.0.0.1", 0, proxy, limits)
    thread = threading.Thread(target=served.run)
    thread.start()
    try:
        while not served.started:
            assert thread.is_alive()
            time.sleep(0.01)
        yield served
    finally:
        served.should_exit = True
        thread.join()


@contextmanager
def game(database: Path, proxy: str | None = None) -> Iterator[int]:
    """The port of such a server."""
    with running(database, proxy) as served:
        yield served.servers[0].sockets[0].getsockname()[1]


@contextmanager
def attacked(
    port: int, said: bytes, addresses: int = 1, context: ssl.SSLContext | None = None
) -> Iterator[list[socket.socket]]:
    """So many connections that say this and nothing more, and read nothing; each address has its share."""
    with ExitStack() as stack:
        sockets: list[socket.socket] = []
        for number in range(MANY):
            attacker = socket.socket()
            attacker.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)  # or the system would read for them
            attacker.settimeout(10)
            attacker.bind((f"127.0.0.{1 + number % addresses}", 0))
            attacker = context.wrap_socket(attacker, do_handshake_on_connect=False) if context else attacker
            sockets.append(stack.enter_context(attacker))
            with suppress(ConnectionError, ssl.SSLError):  # ended already
                attacker.connect(("127.0.0.1", port))
                if isinstance(attacker, ssl.SSLSocket):
                    attacker.do_handshake()
                attacker.sendall(said)
        yield sockets


def asked(port: int, source: str = "127.0.0.1", context: ssl.SSLContext | None = None) -> bytes:
    """What somebody else gets. Raises OSError if it is not there soon."""
    with ExitStack() as stack:
        visitor = stack.enter_context(socket.create_connection(("127.0.0.1", port), 10, (source, 0)))
        visitor = stack.enter_context(context.wrap_socket(visitor)) if context else visitor
        visitor.sendall(b"GET / HTTP/1.1\r\nConnection: close\r\n" + HEAD + b"\r\n")
        return b"".join(iter(lambda: visitor.recv(65_536), b""))


UPGRADE = (
    b" HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: c2l4dGVlbiBsZXR0ZXJzIQ==\r\n" + HEAD + b"\r\n"
)


def new_table(port: int) -> bytes:
    """The name of a table at which nobody is yet."""
    wanted = {"name": "Ann", "token": "0" * 64, "length": 3, "time_control": "none", "against": "friend"}
    request = Request(f"http://127.0.0.1:{port}/tables", dumps(wanted).encode(), {"Origin": SITE})
    with urlopen(request) as answer:
        return str(loads(answer.read())["table"]).encode()


def greeted(url: str, **options: Any) -> str:
    """The answer to who asks for a table that is not there."""
    with connect(url, origin=Origin(SITE), **options) as player:
        player.send('{"token": null}')
        return str(loads(player.recv(10))["code"])


def closed(sockets: list[socket.socket]) -> bool:
    """Whether the server has ended all of them."""
    for attacker in sockets:
        with suppress(ConnectionError, ssl.SSLError):
            while attacker.recv(65_536):
                pass
    return True


class TestServer:
    @loop.over("said", ATTACKS.values())
    @pytest.mark.long
    def test_others_are_answered_and_the_attack_is_ended(self, said, tmp_path) -> None:
        """Others are even from the same address; what was never asked ends after some seconds."""
        with game(tmp_path / "tables.sqlite") as port, attacked(port, said) as sockets:
            assert asked(port).startswith(b"HTTP/1.1 200")
            assert closed(sockets)

    @loop.over("questions", [300, 1500])
    def test_a_websocket_that_nobody_reads_is_gone(self, questions, tmp_path) -> None:
        """It leaves no connection behind, or the server would run out of them.

        The server waits for it to read many answers, and notices that it answers no ping while fewer wait.
        """
        limits = {"seconds": 0.5, "messages": (1e9, 10**9)}
        with running(tmp_path / "tables.sqlite", **limits) as served, ExitStack() as stack:
            listener = served.servers[0].sockets[0]
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1)  # or the system would keep it all
            attacker = stack.enter_context(socket.socket())
            attacker.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            attacker.connect(listener.getsockname())
            attacker.sendall(b"GET /tables/" + new_table(listener.getsockname()[1]) + UPGRADE)
            for message in ({"token": None}, *[{"do": "why", "after": 0}] * questions):
                text = dumps(message).encode()
                attacker.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
            processes.wait_until(lambda: len(served.server_state.tasks) == 0)
            processes.wait_until(lambda: not served.server_state.connections)

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems have no 127.0.0.2")
    def test_many_addresses_together_close_it_to_nobody(self, tmp_path) -> None:
        with game(tmp_path / "tables.sqlite") as port, attacked(port, b"GET", addresses=10):
            assert asked(port, source="127.0.0.99").startswith(b"HTTP/1.1 200")
            assert greeted(f"ws://127.0.0.1:{port}/tables/castle") == "no_such_table"

    @pytest.mark.skipif(sys.platform != "linux", reason="other systems have no 127.0.0.2")
    def test_who_is_being_answered_is_left_alone(self, tmp_path, monkeypatch) -> None:
        """Many addresses that ask for nothing end each other."""

        async def slow(*_: object) -> server.Response:
            await asyncio.sleep(SECONDS / 2)
            return server.Response("here it is")

        monkeypatch.setattr(server.Endpoints, "start", slow)
        with (
            game(tmp_path / "tables.sqlite") as port,
            socket.create_connection(("127.0.0.1", port), 10, ("127.0.0.99", 0)) as visitor,
        ):
            visitor.sendall(b"GET /start.svg HTTP/1.1\r\n" + HEAD + b"\r\n")
            time.sleep(SECONDS / 20)
            with attacked(port, b"", addresses=10):
                assert b"".join(iter(lambda: visitor.recv(65_536), b"")).endswith(b"here it is")

    def test_who_is_slow_within_the_time_and_who_plays_is_left_alone(self, tmp_path) -> None:
        with (
            game(tmp_path / "tables.sqlite") as port,
            connect(f"ws://127.0.0.1:{port}/tables/castle", origin=Origin(SITE)) as player,
            attacked(port, b""),
        ):
            time.sleep(SECONDS / 2)
            player.send('{"token": null}')
            assert loads(player.recv(10))["code"] == "no_such_table"


@pytest.fixture(scope="module")
def proxy(tmp_path_factory) -> Iterator[tuple[int, ssl.SSLContext]]:
    """HAProxy as the page configures it, but on this machine, in front of a server: its port, and who trusts it."""
    folder = tmp_path_factory.mktemp("proxy")
    with game(folder / "tables.sqlite", proxy="127.0.0.1") as port:
        front, settings = processes.free_port(), PAGE.read_text("utf-8")
        text = settings.split("```text\nglobal\n")[1].split("```")[0]
        for there, here in (
            ("bind :443", f"bind 127.0.0.1:{front}"),
            ("/etc/haproxy/game.example.pem", str(folder / "key.pem")),
            ("127.0.0.1:8000", f"127.0.0.1:{port}"),
            (" 10s", f" {SECONDS:.0f}s"),
        ):
            assert there in text
            text = text.replace(there, here)
        (folder / "haproxy.cfg").write_text(f"global\n{text}")
        options = "-x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost"
        pair = "-keyout", folder / "key.pem", "-out", folder / "certificate.pem"
        processes.run("openssl", "req", *options.split(), *pair)
        with (folder / "key.pem").open("a") as key:
            key.write((folder / "certificate.pem").read_text())
        context = ssl.create_default_context(cafile=folder / "certificate.pem")
        context.check_hostname = False
        with processes.serving(front, HAPROXY, "-f", folder / "haproxy.cfg"):
            yield front, context


@pytest.mark.long
@pytest.mark.skipif(not (HAPROXY and shutil.which("openssl")), reason="HAProxy or OpenSSL is not installed")
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no 127.0.0.2")
class TestProxy:
    @loop.rows(("said", "secure"), (b"", False), *((said, True) for said in ATTACKS.values()))
    def test_an_address_has_its_share_and_others_play(self, said, secure, proxy) -> None:
        """Silent before the TLS handshake, and after it."""
        port, context = proxy
        with attacked(port, said, context=context if secure else None) as sockets:
            assert asked(port, "127.0.0.99", context).startswith(b"HTTP/1.1 200")
            url, source = f"wss://127.0.0.1:{port}/tables/castle", ("127.0.0.98", 0)
            assert greeted(url, ssl=context, source_address=source) == "no_such_table"
            assert closed(sockets)
