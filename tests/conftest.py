"""Settings of all tests."""

from __future__ import annotations

from hypothesis import settings

# A property holds or not, however busy the machine is.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
