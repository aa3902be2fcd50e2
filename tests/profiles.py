"""Settings of hypothesis by name; `make fuzz` loads this as a pytest plugin and asks for the profile `fuzz`."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

#: Many examples, no deadline: a slow machine is no bug, and what was found is printed so that it can be replayed.
settings.register_profile(
    "fuzz", max_examples=500, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
