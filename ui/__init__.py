"""The screens of the app: the shell and one package per area. No statistics, no rows, no noise.

`frame` holds the wording and links that every screen uses, `figures` the charts, `data` the datasets, `session` the
state of a browser, `office` the screens for signed-in people, `gate` the checks of every request; `ask`, `plan`,
`budget`, `answers` and `compare` are what an analyst does.
"""

import discreet.evidence  # noqa: F401  # plug-ins are checked before protected rows are read

if __name__ != "discreet.ui":  # imported under a second name, every class would exist twice
    raise ImportError("Write discreet.ui: this folder is a part of the package discreet.")
