"""Report: what people are shown of a released answer, in words, files and scripts; public information only."""

if __name__ != "discreet.report":  # a second import name would create every class twice
    raise ImportError("Write discreet.report: this folder is a part of the package discreet.")
