"""An engine that follows a script, for UBGI over its pipes, and for GNU Backgammon over its socket.

    python fake_engine.py SCRIPT

Each line of the script is a step:

    > text       read a line, which must begin with the text
    >= text      read a line, which must be the text
    < text       write a line, or several, with | between them
    << text      write half a line
    ! text       write a line to stderr
    listen       be the external player of GNU Backgammon on the port of the commands, and talk to its client
    hang up      close that connection
    wait         neither read nor write, for a minute
    stop guard   stop the process that has started it, `stop guard always` again and again, `stop group` itself as well
    leave        start a child in a group of its own, which holds the pipes until there is SCRIPT.back; `leave name`:
                 both with this name, with | for line breaks
    flood        write lines without end; `flood blank`: blanks without an end of the line; `flood stderr`: much there
    once         end here, the first time
    forever      begin here again after the last step

It writes to SCRIPT.end when it reaches the end of its script or of its input.
"""

import os
import sys
import time
from itertools import chain, cycle


def follow(script: str) -> None:  # noqa: C901 - a case for each step
    heard, said, client = sys.stdin.buffer, sys.stdout.buffer, None
    with open(script, encoding="latin-1") as file:  # noqa: PTH123 - pathlib would take most of the time
        first, _, again = file.read().partition("forever\n")
    for step in chain(first.splitlines(), cycle(again.splitlines())):
        match step.split(" ", 1):
            case [">" | ">=" as how, text]:
                line = heard.readline().decode()
                if not line:
                    return
                if not line.startswith(text + "\n" * (how == ">=")):
                    raise SystemExit(f"expected {text!r}, got {line!r}")
            case ["<" | "<<" as end, *text]:
                said.write(" ".join(text).replace("|", "\n").encode("latin-1") + b"\n" * (end == "<"))
                said.flush()
            case ["!", text]:
                sys.stderr.write(text + "\n")
            case ["listen"]:
                import socket  # noqa: PLC0415 - it takes time

                port = int(heard.read().split(b"external 127.0.0.1:")[1])
                with socket.create_server(("127.0.0.1", port)) as server:
                    sys.stdout.write("Waiting for a connection from ...\n")
                    sys.stdout.flush()
                    client = server.accept()[0]
                heard, said = client.makefile("rb"), client.makefile("wb")
            case ["hang", "up"]:
                assert client is not None
                client.shutdown(2)
            case ["wait"]:
                time.sleep(60)
            case ["stop", whom]:
                stop(os.getppid() if "guard" in whom else 0, always="always" in whom)
            case ["leave", *name]:
                if name:
                    with open("/proc/self/comm", "w") as comm:  # noqa: PTH123
                        comm.write(name[0].replace("|", "\n"))
                if child := os.fork():
                    os.setpgid(child, child)
                end = time.monotonic() + 60
                while not child:
                    time.sleep(0.01)
                    if os.path.exists(script + ".back") or time.monotonic() > end:  # noqa: PTH110
                        os._exit(0)
            case ["flood", *what]:
                if what == ["stderr"]:
                    sys.stderr.write("flood " * 100_000)
                while what != ["stderr"]:
                    said.write((b" " if what else b"flood\n") * 1_000)
            case ["once"]:
                if not os.path.exists(script + ".once"):  # noqa: PTH110
                    touch(script + ".once")
                    return
            case _:
                raise SystemExit(f"no step: {step}")


def stop(process: int, *, always: bool) -> None:
    import signal  # noqa: PLC0415 - it takes time

    again = always and os.fork() == 0
    os.kill(process, signal.SIGSTOP)
    while again:
        time.sleep(0.01)
        os.kill(process, signal.SIGSTOP)


def touch(name: str) -> None:
    os.close(os.open(name, os.O_CREAT))


if __name__ == "__main__":
    follow(sys.argv[1])
    touch(sys.argv[1] + ".end")
