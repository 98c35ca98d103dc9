"""Numerals: how the numbers of a column are written, converted to plain decimal text, cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from discreet.budget.errors import ParameterError
from discreet.queries.bounds import IntArray
from discreet.rows.cells import SPELLED, decimals, longest, numeral, text

POINT = "."
COMMA = ","
DECIMALS = (POINT, COMMA)
BLANKS = " \u00a0\u2009\u202f"  # ordinary, no-break, thin, narrow no-break
THOUSANDS = {"": "", ",": ",", ".": ".", " ": BLANKS, "'": "'\u2019"}  # each with its accepted characters
BRACKETS = "()"
MINUS = "\u2212"
LONGEST_AFFIX = 12
MOST_AFFIXES = 20
GROUP, FAR = 3, 1e15  # digits of a group; the size from which a number is written with an exponent
PLAIN = "1234.5"  # as programs write numbers
EXAMPLES = ("1,234.5", "1.234,5", "1 234,5", "1'234.5")  # as people write them


@dataclass(frozen=True)
class Numerals:
    """The decimal separator, the thousands separator, and the affixes that may surround a number.

    Nothing is guessed from a cell: what is not written in this form is not a number. Groups have three digits and do
    not begin with zero, so with a comma as thousands separator neither "1,23" nor "0,123" is a number. At most one of
    the affixes may precede a number and one may follow it. "()" among them means that a number in brackets is negative.
    Scientific notation is written without groups, with the decimal separator or a point: numeric cells that were never
    typed as text are written so, too.
    """

    decimal: str = POINT
    thousands: str = ""
    affixes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise ParameterError for separators that would give one text two meanings."""
        if self.decimal not in DECIMALS:
            raise ParameterError("The decimal sign must be a point or a comma.")
        if self.thousands not in THOUSANDS:
            raise ParameterError("The thousands separator must be empty, a comma, a point, a space or an apostrophe.")
        if self.thousands == self.decimal:
            raise ParameterError("The thousands separator and the decimal separator must differ.")
        if len(self.affixes) > MOST_AFFIXES or not all(map(_plain_affix, self.affixes)):
            raise ParameterError(
                "Symbols around a number must be texts such as €, USD, % or (), without digits, a minus "
                "or spaces at either end."
            )

    @classmethod
    def like(cls, example: str) -> Numerals:
        """Return the numerals in which an example such as 1.234,5 is written."""
        return cls(example[-2], example[1:-5])

    @property
    def usual(self) -> bool:
        """Whether numbers are written as programs write them."""
        return self == Numerals()

    @property
    def example(self) -> str:
        """An example of a number in this form."""
        words = [affix for affix in self.affixes if affix != BRACKETS]
        return self.signs + (f" {words[0]}" if words else "")

    @property
    def signs(self) -> str:
        """The example without affixes."""
        return f"1{self.thousands}234{self.decimal}5"

    @property
    def other(self) -> str:
        """An example of the alternative form in which numbers may be written."""
        return EXAMPLES[0] if self.decimal == COMMA else EXAMPLES[1]

    def number(self, typed: str) -> float | None:
        """Return the number that a user typed, parsed like a cell; None if it is not a number."""
        (value,), (there,) = decimals(self.plain(pa.array([typed], pa.large_string())))
        return float(value) if there else None

    def written(self, value: float) -> str:
        """Write a number in this form, such that no other form reads it as a different number."""
        if float(value).is_integer() and abs(value) < FAR:
            return str(int(value))
        short = repr(float(value))
        ambiguous = len(short.partition(".")[2]) == GROUP and "e" not in short
        return (f"{short}0" if ambiguous else short).replace(POINT, self.decimal)

    def three(self, cells: pa.Array, sign: str) -> pa.Array:
        """Return which cells have exactly three digits after one separator, which some read as a decimal separator."""
        cells = text(cells)
        near = pc.fill_null(pc.match_substring_regex(cells, f"{_literal(sign)}[0-9]{{3}}"), False)
        pattern = f"^-?[1-9][0-9]{{0,2}}{_literal(sign)}[0-9]{{3}}$"
        return pc.replace_with_mask(near, near, pc.match_substring_regex(self._bare(pc.filter(cells, near)), pattern))

    def plain(self, cells: pa.Array) -> pa.Array:
        """Return each cell as plain decimal text; null if it is not a number in this form."""
        if self.usual:
            return cells
        trimmed = numeral(cells)
        simple = pc.fill_null(pc.match_substring_regex(trimmed, f"^-?[0-9]+(?:{_literal(self.decimal)}[0-9]+)?$"), True)
        others = pc.invert(simple)
        read = pc.replace_with_mask(trimmed, others, self._patterned(pc.filter(trimmed, others)))
        return pc.replace_substring(read, COMMA, POINT) if self.decimal == COMMA else read

    def _patterned(self, cells: pa.Array) -> pa.Array:
        """Return numbers without separators and affixes, cell by cell."""
        bare = self._bare(cells)
        grouped = pc.match_substring_regex(bare, f"^-?{self._number}$")
        digits = pc.replace_substring_regex(bare, pattern=self._between, replacement="") if self.thousands else bare
        scientific = pc.match_substring_regex(bare, f"^-?{self._scientific}$", ignore_case=True)
        return pc.if_else(scientific, bare, pc.if_else(grouped, digits, pa.scalar(None, bare.type)))

    def _bare(self, cells: pa.Array) -> pa.Array:
        """Return trimmed cells without affixes and brackets, and with ASCII signs."""
        for pattern, replacement in self._rewriting:
            cells = pc.replace_substring_regex(cells, pattern=pattern, replacement=replacement)
        return cells

    @cached_property
    def _rewriting(self) -> list[tuple[str, str]]:
        """The patterns that remove affixes and brackets from a number, and write its sign in ASCII."""
        around = "|".join(map(_literal, sorted(set(self.affixes) - {BRACKETS}, key=len, reverse=True)))
        affix = f"(?:{around})?" if around else ""
        blank = f"[{BLANKS}]*"
        bare = f"((?i:{self._number}|{self._scientific}))"
        signed = f"^(?:([-+{MINUS}]?){affix}{blank}|{affix}{blank}([-+{MINUS}])){bare}{blank}{affix}$"
        steps = [(signed, r"\1\2\3"), (f"^{MINUS}", "-"), (r"^\+([^-+])", r"\1")]
        if BRACKETS not in self.affixes:
            return steps
        inner = f"{affix}{blank}{bare}{blank}{affix}"
        return [(f"^{affix}{blank}\\({inner}\\){blank}{affix}$", r"-\1"), *steps]

    @property
    def _between(self) -> str:
        return "".join(("[", *map(_literal, THOUSANDS[self.thousands]), "]"))

    @property
    def _number(self) -> str:
        """The pattern of digits, in groups or not, and a fraction."""
        point = _literal(self.decimal)
        whole = "[0-9]+"
        if self.thousands:
            whole = f"(?:[1-9][0-9]{{0,2}}(?:{self._between}[0-9]{{3}})+|[0-9]+)"
        return f"(?:{whole}(?:{point}[0-9]*)?|{point}[0-9]+)"

    @property
    def _scientific(self) -> str:
        point = f"[{_literal(POINT)}{_literal(self.decimal)}]"
        return f"(?:(?:[0-9]+{point}?[0-9]*|{point}[0-9]+)e[-+]?[0-9]{{1,4}})"


def _plain_affix(affix: object) -> bool:
    if not isinstance(affix, str) or not affix or len(affix) > LONGEST_AFFIX or affix.strip() != affix:
        return False
    if not affix.strip(".,"):
        return False
    return affix == BRACKETS or not any(c.isdigit() or c in f"-+()'{MINUS}" for c in affix)


def _literal(signs: str) -> str:
    return "".join(f"\\x{{{ord(sign):x}}}" for sign in signs)


# --- Spellings: texts that name one level, however a format writes it: 1 and 1.0, true and TRUE ---

# a number without leading zeros, whose fraction of zeros is removed: 01 is a code, and not 1
NUMBER = r"^(-?(?:0|[1-9][0-9]*))(?:\.0*|(\.[0-9]*[1-9])0*)?(?:E0)?$"
TRUTHS = ("true", "false")


def canonical(cells: pa.Array) -> pa.Array:
    """Return each text in the canonical spelling of its number or truth value."""
    lower = pc.utf8_lower(cells)
    truths = pc.is_in(lower, value_set=pa.array(TRUTHS, lower.type))
    return pc.if_else(truths, lower, pc.replace_substring_regex(cells, pattern=NUMBER, replacement=r"\1\2"))


def places(cells: pa.Array, levels: Sequence[str]) -> IntArray:
    """Return the index of the level that each cell names, or -1: by its exact text, else by its canonical spelling.

    A level that has another level as a spelling matches by its exact text alone: a declaration of both 1 and 1.0 keeps
    them apart.
    """
    names = pa.array(levels, pa.large_string())
    written = text(cells, longest(names) + SPELLED)
    exact = pc.index_in(written, value_set=names)
    forms = canonical(names)
    many = Counter(forms.to_pylist())
    spelled = zip(forms.to_pylist(), _spelled(forms).to_pylist(), strict=True)
    special = [form if several and many[form] == 1 else None for form, several in spelled]
    if any(special):
        others = pa.array(special, pa.large_string())
        exact = pc.coalesce(exact, pc.index_in(canonical(written), value_set=others, skip_nulls=True))
    return np.asarray(exact.fill_null(-1)).astype(np.int64)


def _spelled(forms: pa.Array) -> pa.Array:
    """Return which canonical texts have other spellings."""
    truths = pc.is_in(forms, value_set=pa.array(TRUTHS, forms.type))
    return pc.or_(truths, pc.match_substring_regex(forms, NUMBER))
