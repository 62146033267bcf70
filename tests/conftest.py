"""Settings of every test run."""

from hypothesis import HealthCheck, settings

settings.register_profile("netaclaw", suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], derandomize=True)
settings.load_profile("netaclaw")
