"""A package of somebody else; each process that imports it leaves a file beside it."""

import os
from pathlib import Path

Path(__file__).with_name(f"loaded-{os.getpid()}").touch()
