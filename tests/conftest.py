"""What all tests share: hypothesis tries the same examples every time, without a clock."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "discreet",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("discreet")
