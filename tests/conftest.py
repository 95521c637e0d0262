"""What every test shares."""

from hypothesis import HealthCheck, settings

# A busy machine must not fail a property: how long an example took says nothing about the code.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")
