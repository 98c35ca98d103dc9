"Labels: cells hold codes, answers and filters say what they mean."

from __future__ import annotations

import pyarrow as pa
import pytest

from discreet.budget.errors import ParameterError
from discreet.rows import Category, Filter, Schema

SEX = Category(("1", "2"), other=True, names=("male", "female"))


def test_codes_are_read_and_names_are_said() -> None:
    """Labels, codes and filters agree on the places of levels."""
    schema, cells = Schema({"sex": SEX}), pa.array(["2", "1.0", "9", "male"])
    assert SEX.labels == ("male", "female", "other") and SEX.codes(cells).tolist() == [1, 0, 2, 2]
    condition = Filter("sex", "in", ("female",))
    condition.check(schema)
    assert condition.mask(pa.record_batch({"sex": cells}), schema).tolist() == [True, False, False, False]
    with pytest.raises(ParameterError, match="can be compared only with its allowed values"):
        Filter("sex", "=", "2").check(schema)


def test_names_survive_the_file_and_a_declaration_without_them_keeps_its_hash() -> None:
    """What was registered before is the same declaration."""
    assert Schema.from_json(Schema({"sex": SEX}).to_json()) == Schema({"sex": SEX})
    assert "names" not in Schema({"a": Category(("x", "y"))}).to_json()


@pytest.mark.parametrize("names", [("a",), ("a", "a"), ("a", ""), ("a", " b"), ("a", 3), ("a", "other")])
def test_names_that_do_not_tell_levels_apart_are_refused(names: tuple[str, ...]) -> None:
    """One for each, all different, none called other where there is one."""
    with pytest.raises(ParameterError):
        Category(("1", "2"), other=True, names=names)
