"""The screens: shell and state, and below them the rooms. No statistics, no rows, no noise.

`frame` is what every screen is written and linked with, `figures` draws, `data` is what is worked on, `office` is for
people who sign in, `gate` looks at every request; `ask`, `budget`, `compare` and `learn` are what somebody does here.
"""

import discreet.evidence  # noqa: F401  # what packages bring is examined before protected rows are read

if __name__ != "discreet.ui":  # under a second name every class would be there twice
    raise ImportError("Write discreet.ui: this folder is a part of the package discreet.")
