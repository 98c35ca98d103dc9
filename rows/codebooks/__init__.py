"""Codebooks: one file for each format in which others describe columns.

Every file of this folder is imported here, so a new format is one new file; named packages add theirs.
"""

from discreet.rows.codebooks.codebook import LARGEST, Codebook, brought, codebooks, read

codebooks.fill(__name__, __path__)

__all__ = ["LARGEST", "Codebook", "brought", "codebooks", "read"]
