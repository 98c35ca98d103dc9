"""Shares: what one analyst may spend of a dataset, the same part of epsilon and of delta."""

from __future__ import annotations

from discreet.budget import Cost, ParameterError
from discreet.office.asked import spent_by
from discreet.office.house import House
from discreet.office.registry import Registered
from discreet.office.roles import Member


def check_share(house: House, who: Member, data: Registered, cost: Cost) -> None:
    """Refuse a cost that is beyond the share of whoever asks; without a share there is no such limit."""
    share, whole = data.policy.share_of(who.login), data.registration.limit
    if share is None:
        return
    spent = spent_by(house, data.id, who.id)
    if spent.nano_epsilon + cost.nano_epsilon > round(share * 10**9):
        raise ParameterError(
            "Your share of these data is epsilon {share:g}, and {spent:g} of it is spent.",
            share=share,
            spent=spent.epsilon,
        )
    part = share * 10**9 / whole.nano_epsilon
    if part < 1.0 and spent.delta_units + cost.delta_units > whole.delta_units * part:
        raise ParameterError(
            "Your share of these data is delta {share:g}, as much of the whole as of epsilon, and "
            "{spent:g} of it is spent.",
            share=whole.delta * part,
            spent=spent.delta,
        )
