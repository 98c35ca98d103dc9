"""Noise: the protocol of a noise source, the exact samplers, and the one source of secret random bits."""

if __name__ != "discreet.noise":  # a second import name would create every class twice
    raise ImportError("Write discreet.noise: this folder is a part of the package discreet.")
