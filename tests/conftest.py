"""What every test shares."""

import signal
from contextlib import suppress

from hypothesis import HealthCheck, settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A script that runs the tests in the background ignores interrupts; what the tests start must not inherit that.
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine must not fail a property: how long an example took says nothing about the code.
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")
