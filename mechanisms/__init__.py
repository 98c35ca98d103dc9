"""Floor 3: mechanisms, each a frozen value that maps data to a law. No randomness, no files.

Every file of this folder is imported here, so a new mechanism is one new file; named packages bring theirs. What
mechanisms share lies in `base` and `laws`, the constructions of a textbook in `exhibits`.
"""

from importlib import import_module

from discreet.mechanisms.base.mechanism import Mechanism, former, known_families, registry
from discreet.mechanisms.base.vocabulary import Forecast, Parameter, Public

if __name__ != "discreet.mechanisms":  # under a second name every class would be there twice
    raise ImportError("Write discreet.mechanisms: this folder is a part of the package discreet.")

registry.fill(__name__, __path__)
import_module(f"{__name__}.exhibits")

__all__ = ["Forecast", "Mechanism", "Parameter", "Public", "former", "known_families", "registry"]
