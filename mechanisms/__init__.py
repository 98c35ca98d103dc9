"""Floor 3: mechanisms, each a frozen value that maps data to a law. No randomness, no files.

Every file of this folder is imported here, so a new mechanism is one new file; named packages add theirs. What
mechanisms share is in `base` and `laws`, the constructions of a textbook in `exhibits`.
"""

from importlib import import_module

from discreet.mechanisms.base.mechanism import Mechanism, former, known_families, registry
from discreet.mechanisms.base.vocabulary import Forecast, Parameter, Public

if __name__ != "discreet.mechanisms":  # a second import name would create every class twice
    raise ImportError("Write discreet.mechanisms: this folder is a part of the package discreet.")

registry.fill(__name__, __path__)
import_module(f"{__name__}.exhibits")

__all__ = ["Forecast", "Mechanism", "Parameter", "Public", "former", "known_families", "registry"]
