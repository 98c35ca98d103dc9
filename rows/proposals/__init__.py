"""Proposals: what a declaration may be, from public information alone: names of columns and a file's types."""

from discreet.rows.proposals.proposed import Proposal, Proposals, proposed

__all__ = ["Proposal", "Proposals", "proposed"]
