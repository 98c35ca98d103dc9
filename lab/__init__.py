"""Lab: contests, forecasts, samples and explanations, on public data only."""

if __name__ != "discreet.lab":  # a second import name would create every class twice
    raise ImportError("Write discreet.lab: this folder is a part of the package discreet.")
