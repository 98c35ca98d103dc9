"""Help: the documents of the project."""

from discreet.ui import help

help.show()
