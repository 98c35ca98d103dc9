"""Rows: bytes become ticks. Where rows lie, how they are read, what a declaration says of them."""

if __name__ != "discreet.rows":  # under a second name every class would be there twice
    raise ImportError("Write discreet.rows: this folder is a part of the package discreet.")
