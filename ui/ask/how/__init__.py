"""How it works: the inside of each mechanism on open data, moving with its sliders."""
