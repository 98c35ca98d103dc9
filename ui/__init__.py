"""Floor 5: shell, state and forms of the screens. No statistics, no rows, no noise."""

if __name__ != "discreet.ui":  # under a second name every class would be there twice
    raise ImportError("Write discreet.ui: this folder is a part of the package discreet.")
