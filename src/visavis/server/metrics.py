"""Prometheus metrics of one process."""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)

from visavis.server.vocabulary import Command
from visavis.session.commands import Move

QUICK = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 1.0, 5.0)
SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0)


class Metrics:
    """What a process counts. Each has a registry of its own, so that tests may have many."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        self.opened = Counter("visavis_matches_opened", "Matches opened", registry=registry)
        self.moves = Counter("visavis_moves", "Moves committed", registry=registry)
        self.latency = Histogram(
            "visavis_order_seconds",
            "From an order's arrival to its commit",
            buckets=QUICK,
            registry=registry,
        )
        self.conflicts = Counter(
            "visavis_conflicts", "Appends for which another was quicker", registry=registry
        )
        self.heard = Counter("visavis_heard", "Matches that notifications named", registry=registry)
        self.matches_in_memory = Gauge(
            "visavis_matches_in_memory", "Matches in memory", registry=registry
        )
        self.running = Gauge("visavis_matches_running", "Matches that run", registry=registry)
        self.sockets = Gauge("visavis_sockets", "Open WebSockets and streams", registry=registry)
        self.connections = Gauge("visavis_connections", "Open TCP connections", registry=registry)
        self.connections_refused = Counter(
            "visavis_connections_refused",
            "TCP connections closed at once",
            ["code"],
            registry=registry,
        )
        self.waiting = Gauge(
            "visavis_appends_waiting", "Appends that wait for their commit", registry=registry
        )
        self.commits = Gauge("visavis_commits", "Transactions of appends", registry=registry)
        self.thoughts = Histogram(
            "visavis_engine_seconds",
            "Time that computers took over a move",
            buckets=SLOW,
            registry=registry,
        )
        self.thinking = Gauge(
            "visavis_engine_waiting", "Decisions that computers have before them", registry=registry
        )
        self.retries = Counter(
            "visavis_engine_retries", "Decisions asked again of another worker", registry=registry
        )
        self.refused = Counter(
            "visavis_refused", "Messages and requests refused", ["code"], registry=registry
        )
        self.background_up = Gauge(
            "visavis_background_up",
            "Whether work in the background works",
            ["work"],
            registry=registry,
        )
        self.background_failures = Counter(
            "visavis_background_failures",
            "How often work in the background has failed",
            ["work"],
            registry=registry,
        )
        self.dropped = Counter(
            "visavis_sockets_dropped", "Sockets and streams dropped as too slow", registry=registry
        )

    def ordered(self, command: Command, seconds: float) -> None:
        """Count an order that was carried out."""
        self.latency.observe(seconds)
        if isinstance(command, Move):
            self.moves.inc()

    def text(self) -> bytes:
        """Return everything in Prometheus' format."""
        return generate_latest(self.registry)
