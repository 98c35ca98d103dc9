"""Codebooks: one file a form in which somebody else has written down what the columns are.

Every module of this folder is imported here, so a new form is one new file.
"""

from importlib import import_module
from pkgutil import iter_modules

from discreet.rows.codebooks.codebook import LARGEST, Codebook, brought, codebooks, read

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["LARGEST", "Codebook", "brought", "codebooks", "read"]
