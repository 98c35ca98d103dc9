"""What all tests share: the same examples every time, without a clock; a house of their own."""

import os
from tempfile import mkdtemp

from hypothesis import HealthCheck, settings

settings.register_profile(
    "discreet", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("discreet")
os.environ["DISCREET_HOME"] = mkdtemp(prefix="discreet-tests-")  # never the user's own house
os.environ.pop("DISCREET_DATABASE", None)
os.environ["DISCREET_DATABASES"] = "sqlite:/* *:*/*"
