"""Refined: what a charge is that makes an earlier answer finer, and what both amount to."""

from __future__ import annotations

from dataclasses import dataclass

from discreet.budget.account import Account, Single


@dataclass(frozen=True)
class Refined(Account):
    """The account of the step from an earlier answer, named by its request, to a finer one.

    Where it stands `instead`, it is the account of both answers together, which is that of the finer
    one alone; by itself it says more than the step loses, for every plan that was fixed in advance.
    Else fresh noise was added and averaged in, and it is the account of that noise.
    """

    of: str
    account: Account
    instead: bool

    @property
    def rho(self) -> float:
        """That of its account."""
        return self.account.rho

    @property
    def delta_units(self) -> int:
        """That of its account."""
        return self.account.delta_units

    @property
    def parts(self) -> tuple[Single, ...]:
        """Those of its account."""
        return self.account.parts
