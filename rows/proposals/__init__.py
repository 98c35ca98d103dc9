"""Proposals: what a declaration may be, from public things alone: names of columns and a file's types."""

from discreet.rows.proposals.proposal import Proposal, proposed

__all__ = ["Proposal", "proposed"]
