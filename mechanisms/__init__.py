"""Floor 3: mechanisms, each a frozen value that maps data to a law. No randomness, no files.

Every file of this folder is imported here, so a new mechanism is one new file; named packages bring theirs.
"""

from discreet.mechanisms.accuracy import Forecast, Public
from discreet.mechanisms.mechanism import Mechanism, former, known_families, registry
from discreet.mechanisms.parameters import Parameter

if __name__ != "discreet.mechanisms":  # under a second name every class would be there twice
    raise ImportError("Write discreet.mechanisms: this folder is a part of the package discreet.")

registry.fill(__name__, __path__)

__all__ = ["Forecast", "Mechanism", "Parameter", "Public", "former", "known_families", "registry"]
