"""Keys: rows are sealed at rest, and deleting them takes away what opens every copy of them."""

from __future__ import annotations

import io
import json
import os
from dataclasses import asdict
from pathlib import Path
from threading import Thread

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from discreet.budget import ParameterError
from discreet.office.house.vault import Vault
from discreet.rows import LocalSource, sealing
from discreet.rows.files import suggest
from discreet.rows.sealing import PIECE, Sealed, new_key, seal

CANARY = b"canary-4711"
CONTENT = b"age,note\n" + b"20," + CANARY + b"\n" + b"30,b\n" * 50
LAYOUT = json.dumps(asdict(suggest(CONTENT)))


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    """Return a vault with its keys elsewhere."""
    return Vault(tmp_path / "vault", tmp_path / "keys")


def test_neither_folder_alone_opens_rows_and_deleting_the_key_deletes_backups(vault: Vault, tmp_path: Path) -> None:
    """The file is sealed; a copy of the vault is worth nothing once the key is gone."""
    name = vault.put(CONTENT)
    mark = vault.fingerprint(LocalSource(CONTENT).digest)
    assert vault.open(name, LAYOUT, mark).head(["note"], 1)["note"][0].as_py() == "canary-4711"
    held = (tmp_path / "vault" / name).read_bytes()
    assert CANARY not in held and CANARY not in (tmp_path / "keys" / name).read_bytes()
    with pytest.raises(ParameterError, match="key of these rows is missing"):
        Vault(tmp_path / "vault").open(name, LAYOUT, mark)
    vault.delete(name)
    assert not os.listdir(tmp_path / "keys")
    (tmp_path / "vault" / name).write_bytes(held)  # as a backup would bring it back
    with pytest.raises(ParameterError, match="key of these rows is missing"):
        vault.open(name, LAYOUT, mark)


@pytest.mark.parametrize("at", [20, -1, PIECE])
def test_a_sealed_file_that_was_changed_cut_or_swapped_is_refused(at: int, vault: Vault, tmp_path: Path) -> None:
    """Every byte counts, and so does where each piece stands."""
    content = CONTENT + b"40,c\n" * PIECE
    name, mark = vault.put(content), vault.fingerprint(LocalSource(content).digest)
    path = tmp_path / "vault" / name
    held = bytearray(path.read_bytes())
    held[at] ^= 1
    path.write_bytes(held)
    with pytest.raises(ParameterError, match="The file in the vault differs from the one"):
        vault.open(name, LAYOUT, mark)
    held[at] ^= 1
    cut = len(sealing.MARK) + PIECE + sealing.TAG
    path.write_bytes(held[:cut])
    with pytest.raises(ParameterError, match="The file in the vault differs from the one"):
        vault.open(name, LAYOUT, mark)


def test_a_clear_file_in_the_place_of_a_sealed_one_is_refused(vault: Vault, tmp_path: Path) -> None:
    """Even the same rows: whoever put them there had them, and would have them lie open."""
    name, mark = vault.put(CONTENT), vault.fingerprint(LocalSource(CONTENT).digest)
    (tmp_path / "vault" / name).write_bytes(CONTENT)
    with pytest.raises(ParameterError, match="The file in the vault differs from the one"):
        vault.open(name, LAYOUT, mark)
    assert "differs from the one that was registered" in str(vault.damage(name, LAYOUT, mark))
    old = Vault(tmp_path / "vault").put(CONTENT)  # registered before there was a folder of keys
    assert vault.open(old, LAYOUT, mark).names == ["age", "note"]


def test_a_link_in_the_place_of_a_key_opens_nothing(vault: Vault, tmp_path: Path) -> None:
    """A key that lies elsewhere would outlive its deletion."""
    name, mark = vault.put(CONTENT), vault.fingerprint(LocalSource(CONTENT).digest)
    (tmp_path / "keys" / name).rename(tmp_path / "elsewhere")
    (tmp_path / "keys" / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ParameterError, match="key of these rows is missing"):
        vault.open(name, LAYOUT, mark)
    with pytest.raises(ParameterError, match="The key of these rows is not in any listed"):
        vault.check_key(name)


def test_sealed_parquet_is_read_from_disk_by_many_threads_at_once(tmp_path: Path) -> None:
    """Each scan reads only what it needs, and all see the same rows."""
    table = pa.table({"a": range(400_000), "b": [i % 7 for i in range(400_000)]})
    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=50_000, compression="none")
    key = new_key()
    (tmp_path / "rows").write_bytes(seal(sink.getvalue(), key))
    source = LocalSource(Sealed(tmp_path / "rows", key))
    totals: list[int] = []

    def total(batch: pa.RecordBatch) -> int:
        return sum(pa.compute.sum(column).as_py() for column in batch.columns)

    def scan() -> None:
        totals.append(source.map(total, ["a", "b"], 0))

    scans = [Thread(target=scan) for _ in range(4)]
    for thread in scans:
        thread.start()
    for thread in scans:
        thread.join()
    assert totals == [total(table.combine_chunks().to_batches()[0])] * 4
