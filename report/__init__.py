"""Report: what people are told of a released answer, in words, files and scripts; public things only."""

if __name__ != "discreet.report":  # under a second name every class would be there twice
    raise ImportError("Write discreet.report: this folder is a part of the package discreet.")
