"""The perimeter is what a release runs through to charge, read and draw; docs/perimeter.md lists it."""

from __future__ import annotations

from support import perimeter


def test_the_list_in_the_documents_is_what_a_release_reaches() -> None:
    """`python tests/support/perimeter.py > docs/perimeter.md` writes it anew."""
    listed = perimeter.document()
    print(listed)
    assert (perimeter.ROOT / "docs" / "perimeter.md").read_text(encoding="utf-8") == listed


def test_a_release_charges_in_one_file_and_draws_from_one_source() -> None:
    """All of curator and noise is in it, and what makes secret choices of rows."""
    held = {name: can for name, (_, can) in perimeter.perimeter().items()}
    assert [name for name, can in held.items() if "charges" in can] == ["curator/release.py"]
    assert {"noise/source.py", "noise/samplers.py", "curator/checks.py", "curator/clock.py"} <= set(held)
    assert "draws" in held["rows/persons.py"] and "reads" in held["rows/kernel.py"]


def test_what_a_file_can_do_is_seen() -> None:
    """Broken twins: a charge, a draw and a look at rows anywhere."""
    assert perimeter.powers("def f(ledger): ledger.charge(1)") == ["charges"]
    assert perimeter.powers("from x import NoiseSource\ndef f(noise: NoiseSource): noise.laplace(0, 1)") == ["draws"]
    assert perimeter.powers("import pyarrow as pa") == ["reads"]
    assert perimeter.powers("def f(x): return x.law()") == []
    assert perimeter.imported("from discreet.rows.kernel import Kernel")[-2:] == [
        "rows/kernel.py",
        "rows/kernel/__init__.py",
    ]
