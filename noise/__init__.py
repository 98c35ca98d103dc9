"""Noise: what a draw asks for, the exact samplers, and the one source of secret random bits."""

if __name__ != "discreet.noise":  # under a second name every class would be there twice
    raise ImportError("Write discreet.noise: this folder is a part of the package discreet.")
