"""Exhibits: a textbook's constructions as printed, on open data only.

Every file of this folder is imported here.
"""

from discreet.budget.plugins import import_files

import_files(__name__, __path__)
