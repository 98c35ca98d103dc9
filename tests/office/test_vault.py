"""The vault: private, keyed, under random names; what is not what was registered is refused."""

from __future__ import annotations

import hmac
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from support.offices import CONTENT, Clock, together

from discreet.budget import ParameterError
from discreet.office import House
from discreet.office.house import vault as module
from discreet.office.house.vault import KEY, Vault
from discreet.rows.files import suggest

LAYOUT = json.dumps(asdict(suggest(CONTENT)))
DIGEST = sha256(CONTENT).hexdigest()


@pytest.fixture
def loose() -> Iterator[None]:
    """Let new files be readable by everybody, unless whoever makes them knows better."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """Return an empty vault."""
    return Vault(tmp_path / "vault")


def mode(path: Path) -> int:
    """Return who may do what with a file."""
    return path.stat().st_mode & 0o777


def check_that_it_is_private(home: Path) -> None:
    """Fail if anything in a house is readable by others, however loose the umask is."""
    house = House(home, f"sqlite:///{home / 'ledger.db'}", Clock())
    house.vault.put(CONTENT)
    house.store.close()
    assert mode(home) == mode(home / "vault") == 0o700
    files = [path for path in home.rglob("*") if path.is_file()]
    assert len(files) >= 3 and {mode(path) for path in files} == {0o600}


def test_folders_and_files_are_their_owner_s_alone(tmp_path: Path, loose: None) -> None:
    """The house, the vault, its key, the rows, the database and the files beside it."""
    check_that_it_is_private(tmp_path / "a" / "home")


def test_open_files_are_noticed(tmp_path: Path, loose: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where files are written as Python does."""
    monkeypatch.setattr(module, "created", lambda path, content: path.write_bytes(content))
    with pytest.raises(AssertionError):
        check_that_it_is_private(tmp_path / "home")


def test_a_vault_that_others_could_read_is_tightened(tmp_path: Path, loose: None) -> None:
    """When it is opened: folder and key."""
    Vault(tmp_path / "vault")
    (tmp_path / "vault").chmod(0o755)
    (tmp_path / "vault" / KEY).chmod(0o644)
    Vault(tmp_path / "vault")
    assert mode(tmp_path / "vault") == 0o700 and mode(tmp_path / "vault" / KEY) == 0o600


def test_a_house_into_which_others_could_put_files_is_tightened(tmp_path: Path, loose: None) -> None:
    """Their reading is left as it is: no file there is readable. A folder that is shared by its sign is nobody's."""
    for before, after in ((0o777, 0o755), (0o775, 0o755), (0o750, 0o750), (0o1777, 0o1777)):
        home = tmp_path / f"{before:o}"
        home.mkdir()
        home.chmod(before)
        House(home, f"sqlite:///{home / 'ledger.db'}", Clock()).store.close()
        assert home.stat().st_mode & 0o7777 == after


def test_a_file_is_private_from_its_first_moment(vault: Vault, loose: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is written, too: not tightened afterwards."""
    seen: list[int] = []
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda sink: (seen.append(os.fstat(sink).st_mode & 0o777), sync(sink))[1])
    vault.put(CONTENT)
    assert seen == [0o600]


def test_rows_lie_under_random_names(vault: Vault, tmp_path: Path) -> None:
    """The same rows twice under two names that say nothing about them."""
    names = {vault.put(CONTENT) for _ in range(3)}
    assert {path.name for path in (tmp_path / "vault").iterdir()} == names | {KEY}
    assert len(names) == 3 and all(len(name) == 32 and name.isalnum() for name in names)
    assert not names & {DIGEST[:32], vault.fingerprint(DIGEST)[:32]}


def test_what_was_put_comes_back_and_can_be_deleted(vault: Vault, tmp_path: Path) -> None:
    """Deleting twice is no error."""
    name = vault.put(CONTENT)
    source = vault.open(name, LAYOUT, vault.fingerprint(DIGEST))
    assert source.digest == DIGEST and list(source.names) == ["age", "town", "note"]
    for _ in range(2):
        vault.delete(name)
    assert [path.name for path in (tmp_path / "vault").iterdir()] == [KEY]


def check_that_a_fingerprint_needs_the_key(folder: Path) -> None:
    """Fail if whoever has the rows, but not the key, could make their fingerprint."""
    mine, other = Vault(folder / "mine"), Vault(folder / "other")
    assert mine.fingerprint(DIGEST) == Vault(folder / "mine").fingerprint(DIGEST)
    assert mine.fingerprint(DIGEST) != other.fingerprint(DIGEST)
    key = (folder / "mine" / KEY).read_bytes()
    assert len(key) == 64
    guesses = [b"", b"key", KEY.encode(), DIGEST.encode(), bytes(64)]
    forgeries = {hmac.new(guess, DIGEST.encode(), sha256).hexdigest() for guess in guesses}
    assert mine.fingerprint(DIGEST) not in {DIGEST, sha256(DIGEST.encode()).hexdigest(), *forgeries}


def test_a_fingerprint_needs_the_key(tmp_path: Path) -> None:
    """It tells nobody else whether two files are the same, or what is in one."""
    check_that_a_fingerprint_needs_the_key(tmp_path)


def test_a_plain_hash_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where the fingerprint is the hash of the content."""
    monkeypatch.setattr(Vault, "fingerprint", lambda _, digest: digest)
    with pytest.raises(AssertionError):
        check_that_a_fingerprint_needs_the_key(tmp_path)


def swapped(path: Path, other: bytes) -> None:
    """Put something else in the place of rows."""
    path.unlink()
    path.write_bytes(other)


def linked(path: Path, content: bytes) -> None:
    """Put the same rows elsewhere, and a symbolic link in their place."""
    path.rename(path.parent.parent / "elsewhere")
    path.symlink_to(path.parent.parent / "elsewhere")


WRONGS: dict[str, tuple[Callable[[Path, bytes], Any], str]] = {
    "one digit changed": (
        lambda p, c: swapped(p, c.replace(b"17,", b"18,", 1)),
        "The file in the vault differs from the one",
    ),
    "one row more": (lambda p, c: swapped(p, c + b"50,north,x\n"), "The file in the vault differs from the one"),
    "empty": (lambda p, _: swapped(p, b"age,town,note\n"), "The file in the vault differs from the one"),
    "missing": (lambda p, _: p.unlink(), "not in the vault"),
    "a folder": (lambda p, _: (p.unlink(), p.mkdir()), "not in the vault"),
    "a link": (linked, "not in the vault"),
}


def check_that_wrong_rows_are_refused(folder: Path, wrong: str) -> None:
    """Fail if rows come out of the vault that are not those which were put in, as they were."""
    vault, (harm, why) = Vault(folder), WRONGS[wrong]
    name, mark = vault.put(CONTENT), vault.fingerprint(DIGEST)
    harm(folder / name, CONTENT)
    with pytest.raises(ParameterError, match=why):
        vault.open(name, LAYOUT, mark)


@pytest.mark.parametrize("wrong", WRONGS)
def test_rows_that_are_not_what_was_registered_are_refused(tmp_path: Path, wrong: str) -> None:
    """Changed, missing, or a link to somewhere else."""
    check_that_wrong_rows_are_refused(tmp_path / "vault", wrong)


def test_rows_that_nobody_compares_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check fails where every file has the same fingerprint."""
    monkeypatch.setattr(Vault, "fingerprint", lambda *_: "f")
    with pytest.raises(pytest.fail.Exception):
        check_that_wrong_rows_are_refused(tmp_path / "vault", "one digit changed")


def test_a_refusal_names_no_path(vault: Vault, tmp_path: Path) -> None:
    """Not of the vault, not of a file in it."""
    name = vault.put(CONTENT)
    for mark, harm in (("wrong", lambda: None), ("", lambda: vault.delete(name))):
        harm()
        with pytest.raises(ParameterError) as refusal:
            vault.open(name, LAYOUT, mark)
        assert name not in str(refusal.value) and str(tmp_path) not in str(refusal.value)


def test_a_lost_key_is_never_replaced(tmp_path: Path) -> None:
    """With a new key the same rows would have another fingerprint, and so a second budget."""
    Vault(tmp_path / "vault").put(CONTENT)
    (tmp_path / "vault" / KEY).unlink()
    with pytest.raises(ParameterError, match="vault key is missing"):
        Vault(tmp_path / "vault")
    assert KEY not in {path.name for path in (tmp_path / "vault").iterdir()}


def test_a_file_is_whole_once_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that stops while the key is written leaves none, and nothing else behind."""

    def stop(_: int) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", stop)
        with pytest.raises(OSError, match="disk full"):
            Vault(tmp_path / "vault")
    assert not list((tmp_path / "vault").iterdir())
    (tmp_path / "vault" / "half.part").write_bytes(b"killed here")
    Vault(tmp_path / "vault")
    assert len((tmp_path / "vault" / KEY).read_bytes()) == 64


def test_eight_at_once_find_one_key(tmp_path: Path) -> None:
    """Whoever is first makes it; all others use it, whole."""
    for turn in range(10):
        folder = tmp_path / f"vault{turn}"
        marks = together([lambda folder=folder: Vault(folder).fingerprint(DIGEST)] * 8)
        assert len(set(marks)) == 1 and isinstance(marks[0], str), marks
