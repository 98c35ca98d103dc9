"""Codebooks: one file a form in which somebody else has written down what the columns are.

Every file of this folder is imported here, so a new form is one new file; named packages bring theirs.
"""

from discreet.rows.codebooks.codebook import LARGEST, Codebook, brought, codebooks, read

codebooks.fill(__name__, __path__)

__all__ = ["LARGEST", "Codebook", "brought", "codebooks", "read"]
