"""Lab: contests, forecasts, samples and explanations, on public data only."""

if __name__ != "discreet.lab":  # under a second name every class would be there twice
    raise ImportError("Write discreet.lab: this folder is a part of the package discreet.")
