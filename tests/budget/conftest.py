"""Property tests draw the same examples on every run and are never judged by the clock."""

from hypothesis import settings

settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")
