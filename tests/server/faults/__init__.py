"""Servers under load while something goes wrong again and again.

`python -m tests.server.crashing` runs it. ``servers`` starts what is tried, ``players`` play on it
and compare what they were told with what was kept, ``subscriptions`` follow a match, the lobby and
a bot's matches all the time, ``uptime`` compares the server's time with real time, ``injection``
makes things go wrong, and ``trial`` puts all this together.
"""
