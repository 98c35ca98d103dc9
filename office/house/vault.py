"""Vault: the private folder that registered rows lie in, under random names and a secret key.

Of rows that stay where they are it holds how to reach them: an address, with its password.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from discreet.budget.durable.store import PRIVATE_FILE, PRIVATE_FOLDER, created
from discreet.budget.errors import ParameterError, Phrase
from discreet.rows.sealing import MARK, Content, Plain, Sealed, is_sealed, new_key, seal

if TYPE_CHECKING:  # what reads rows is imported where rows are read
    from discreet.rows.intake.opening import Keeping
    from discreet.rows.source import Source

KEY = "key"
PART = ".part"
NEW = ".new"
IMPRINTS = ".imprints"
NAME = re.compile(r"[0-9a-f]{32}")  # any other name in the database is not a file of this vault
ABSENT = Phrase("The rows of this dataset are not in the vault. Restore the file.")
OTHER = Phrase("The file in the vault differs from the one that was registered.")
KEYLESS = Phrase(
    "The key of these rows is not in any listed key folder. The key would remain and could "
    "open every copy of the rows. Add its folder to DISCREET_KEYS. If the key is permanently "
    "lost, delete the file of the rows by hand first."
)
LINKED = Phrase(
    "The vault contains a link instead of the file of these rows. The rows would remain at "
    "the link's target. Restore the file itself, or delete both by hand first."
)


class Vault:
    """A folder that only its owner may enter. No name of a client's file ever reaches it."""

    def __init__(self, folder: Path, keys: Path | None = None) -> None:
        """Make the folder and its key, or find them; tighten what others could read.

        With a folder of keys, whatever is kept from now on is sealed under a key of its own, which
        lies there, sealed itself under the vault's key: either folder alone opens nothing.
        """
        self.folder = folder
        self._keys = keys
        if keys is not None:
            if folder.resolve() in (keys.resolve(), *keys.resolve().parents):
                raise ParameterError("DISCREET_KEYS must be a folder outside the vault.")
            keys.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
            keys.chmod(PRIVATE_FOLDER)
        folder.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
        folder.chmod(PRIVATE_FOLDER)
        rows = any(file.suffix != PART for file in folder.iterdir())
        if rows and not (folder / KEY).exists():  # a new key would let the same rows in again
            raise ParameterError("The vault key is missing. Restore it together with the rows.")
        try:
            created(folder / KEY, (uuid4().hex + uuid4().hex).encode())
        except FileExistsError:
            (folder / KEY).chmod(PRIVATE_FILE)

    def put(self, content: bytes) -> str:
        """Keep rows under a new random name, which is returned."""
        name = uuid4().hex
        self._keep(name, content)
        return name

    def _keep(self, name: str, content: bytes) -> None:
        if self._keys is not None:
            key = new_key()
            created(self._keys / name, seal(key, self._own_key(name)))
            content = seal(content, key)
        elif content.startswith(MARK):  # would be taken for sealed ever after
            raise ParameterError("The first cell looks like the start of a sealed file. Rename the first column.")
        created(self.folder / name, content)

    def _file(self, name: str) -> Path:
        """Return where the rows of a name lie."""
        if not NAME.fullmatch(name):
            raise ParameterError(OTHER)
        return self.folder / name

    def _own_key(self, name: str) -> bytes:
        """Return the key that seals the key of one file, and nothing else."""
        key = (self.folder / KEY).read_bytes()
        return hmac.new(key, f"key of {name}".encode(), sha256).digest()

    def _content(self, name: str) -> Content:
        """Return where rows lie, and with them what opens them."""
        path = self._file(name)
        key = self._key_file(name)
        if not is_sealed(path):
            if key is not None:
                raise ParameterError(OTHER)  # it was sealed before: an unsealed file was put in its place
            return Plain(path)
        if key is None:
            raise ParameterError("The key of these rows is missing. Restore the folder of keys (DISCREET_KEYS).")
        with Sealed(key, self._own_key(name)).open() as sink:
            return Sealed(path, sink.read())

    def _key_file(self, name: str) -> Path | None:
        """Return where the key of one file lies, if it is there and no link."""
        key = None if self._keys is None else self._keys / name
        return key if key is not None and key.is_file() and not key.is_symlink() else None

    @contextmanager
    def keeping(self, content: bytes) -> Iterator[str]:
        """Keep rows under a new random name, but not if what is done with it fails.

        Until it is done a mark lies beside them: rows that a crash left have one, no others.
        """
        name = uuid4().hex
        mark = self.folder / f"{name}{NEW}"
        created(mark, b"")
        try:
            self._keep(name, content)
            yield name
        except BaseException:
            self.delete(name)
            raise
        finally:
            mark.unlink(missing_ok=True)

    def open(self, name: str, layout: str, fingerprint: str, columns: Sequence[str] | None = None) -> Source:
        """Return the rows of a name, if they (or their table) are still what was registered.

        Where rows are kept in another form, it is in this folder, and of these columns only.
        """
        from discreet.rows.intake.opening import Keeping

        path = self._file(name)
        if path.is_symlink() or not path.is_file():
            raise ParameterError(ABSENT)
        try:
            source = _source(self._content(name), json.loads(layout), Keeping(columns, self.folder, again=True))
            same = self.fingerprint(source.digest) == fingerprint
        except FileNotFoundError:  # deleted since the look above
            raise ParameterError(ABSENT) from None
        if not same:
            raise ParameterError(OTHER)
        return source

    def secret(self, name: str) -> str:
        """Return a text that is kept under a name, as an address with its password."""
        path = self._file(name)
        if path.is_symlink() or not path.is_file():
            raise ParameterError(ABSENT)
        with self._content(name).open() as sink:
            return sink.read().decode("utf-8", "replace")

    def damage(self, name: str, layout: str, fingerprint: str) -> Phrase | None:
        """Say what is wrong with the rows of a name, without reading more than their bytes."""
        from discreet.rows.engines.registry import address_of, sources

        if not NAME.fullmatch(name):
            return OTHER
        path = self.folder / name
        if path.is_symlink() or not path.is_file():
            return ABSENT
        try:
            with self._content(name).open() as file:
                format = json.loads(layout)["format"]
                if format in sources:
                    digest = address_of(format, file.read()).digest
                else:
                    digest = file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]
        except ParameterError as wrong:
            return Phrase("{wrong}", wrong=wrong.args[0])
        except (OSError, ValueError, KeyError, TypeError):
            return OTHER
        return None if self.fingerprint(digest) == fingerprint else OTHER

    def fingerprint(self, digest: str) -> str:
        """Return a keyed digest: it distinguishes contents and reveals nothing else without the key."""
        key = (self.folder / KEY).read_bytes()
        return hmac.new(key, digest.encode(), sha256).hexdigest()

    def derived(self, use: str) -> bytes:
        """Return a key for one use, from which the vault's own cannot be derived."""
        return hmac.new((self.folder / KEY).read_bytes(), use.encode(), sha256).digest()

    def keep_imprints(self, name: str, content: bytes) -> None:
        """Keep what rows are compared by beside them: always sealed, and gone with what opens the rows."""
        created(self._imprints(name), seal(content, self._imprints_key(name)))

    def imprints(self, name: str) -> bytes | None:
        """Return what rows are compared by, if it is kept."""
        path = self._imprints(name)
        if path.is_symlink() or not path.is_file():
            return None
        with Sealed(path, self._imprints_key(name)).open() as file:
            return file.read()

    def _imprints(self, name: str) -> Path:
        return self._file(name).with_suffix(IMPRINTS)

    def _imprints_key(self, name: str) -> bytes:
        """Return the key of imprints: made from that of the rows, where they have one."""
        content = self._content(name)
        rows = content.key if isinstance(content, Sealed) else (self.folder / KEY).read_bytes()
        return hmac.new(rows, f"imprints of {name}".encode(), sha256).digest()

    def left_over(self, seconds: float, now: float) -> set[str]:
        """Return the names under which storing rows started some time ago and never ended.

        No other rows are left over: those that this database does not know may be another one's.
        """
        return {
            mark.stem
            for mark in self.folder.glob(f"*{NEW}")
            if NAME.fullmatch(mark.stem) and mark.lstat().st_mtime < now - seconds
        }

    def settle(self, name: str) -> None:
        """Take the mark of a beginning away."""
        (self.folder / f"{name}{NEW}").unlink(missing_ok=True)

    def check_key(self, name: str) -> None:
        """Refuse to delete rows that lie elsewhere, or sealed ones while what opens their copies does."""
        if self._file(name).is_symlink():
            raise ParameterError(LINKED)
        if self.sealed(name) and self._key_file(name) is None:
            raise ParameterError(KEYLESS)

    def sealed(self, name: str) -> bool:
        """Return whether the rows of a name are sealed under a key that lies elsewhere."""
        path = self._file(name)
        return path.is_file() and is_sealed(path)

    def leave_out(self, name: str) -> None:
        """Take a file away that is not what it should be; what opens other copies of it stays."""
        self._imprints(name).unlink(missing_ok=True)
        self._file(name).unlink(missing_ok=True)

    def delete(self, name: str) -> None:
        """Delete the rows of a name for good, and first what opens them, here and in backups."""
        path = self._file(name)
        if self._keys is not None:
            (self._keys / name).unlink(missing_ok=True)
        self._imprints(name).unlink(missing_ok=True)
        path.unlink(missing_ok=True)


def _source(content: Content, layout: dict[str, Any], keeping: Keeping) -> Source:
    from discreet.rows.engines.registry import address_of, sources
    from discreet.rows.files import Layout
    from discreet.rows.source import LocalSource

    if layout["format"] in sources:
        with content.open() as address:
            return address_of(layout["format"], address.read()).source()
    return LocalSource(content, Layout(**layout), keeping=keeping)
