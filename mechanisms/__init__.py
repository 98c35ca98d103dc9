"""Floor 3: mechanisms, each a frozen value that maps data to a law. No randomness, no files.

Every module of this folder is imported here, so a new mechanism is one new file.
"""

from importlib import import_module
from pkgutil import iter_modules

from discreet.mechanisms.accuracy import Forecast, Public
from discreet.mechanisms.mechanism import Mechanism, former, known_families, registry
from discreet.mechanisms.parameters import Parameter

if __name__ != "discreet.mechanisms":  # under a second name every class would be there twice
    raise ImportError("Write discreet.mechanisms: this folder is a part of the package discreet.")

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["Forecast", "Mechanism", "Parameter", "Public", "former", "known_families", "registry"]
