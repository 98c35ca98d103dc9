"""Home: what this is for, in one sentence and one picture, three ways in, and where one left off."""

from discreet.ui import home

home.show()
