"""Secrets: with one, a run has other positions and other dice, which nobody can look up in what is published.

A folder remembers a digest of its secret, so that no other one gets into it; the digest does not tell the seeds.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

MAX_SIZE = 4_096
"""Bytes of a secret."""
MIN_SIZE = 8
"""With fewer, it could be guessed."""


class SecretError(Exception):
    """What is wrong with a secret."""


def secret_in(file: Path) -> str:
    """What the seeds of a run are mixed with. Raises SecretError."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MAX_SIZE + 1)
    except OSError as error:
        raise SecretError(f"{file}: {error.strerror}") from error
    if not MIN_SIZE <= len(content.strip()) <= len(content) <= MAX_SIZE:
        raise SecretError(f"{file}: a secret has {MIN_SIZE} to {MAX_SIZE:,} bytes")
    return hashlib.sha256(b"seeds\n" + content).hexdigest()


def check(folder: Path, secret: str) -> None:
    """Refuse a folder of another secret; a new one remembers this one. Raises SecretError."""
    remembered = digest_in(folder)
    digest = hashlib.sha256(f"folder\n{secret}".encode("ascii")).hexdigest() if secret else ""
    if remembered == digest:
        return
    if remembered and not secret:
        raise SecretError(f"{folder} was begun with a secret: name its file with --secret")
    if remembered:
        raise SecretError(f"{folder} was begun with another secret")
    if any((folder / "jobs").glob("*.jsonl")):
        raise SecretError(f"{folder} was begun without a secret")
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with digest_file(folder).open("x", encoding="ascii") as file:
            file.write(f"{digest}\n")
    except FileExistsError:  # by another process, in this moment
        check(folder, secret)


def digest_in(folder: Path) -> str:
    """The digest of a folder's secret; "" if it has none."""
    file = digest_file(folder)
    return file.read_text(encoding="ascii").strip() if file.exists() else ""


def digest_file(folder: Path) -> Path:
    return folder / "secret.sha256"
