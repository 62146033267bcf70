"""Figures for Prometheus. The runtime reports through the methods; their names are its port."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

_SECONDS = (0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 120, 300)


class Metrics:
    """The figures of one server; each has its own registry, so that several can live in one process."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self._compactions = Counter(
            "netaclaw_compactions", "Compactions by what started them and how they ended", ["trigger", "outcome"], registry=registry
        )
        self._saved = Counter("netaclaw_compaction_tokens_saved", "Tokens that compactions took out of contexts", registry=registry)
        self._compaction_seconds = Histogram("netaclaw_compaction_seconds", "Duration of compactions", buckets=_SECONDS, registry=registry)
        self._runs = Counter("netaclaw_runs", "Runs of the agent by how they ended", ["state"], registry=registry)
        self._active_runs = Gauge("netaclaw_active_runs", "Runs of the agent that go on now", registry=registry)
        self.connections = Gauge("netaclaw_connections", "Open sockets", registry=registry)
        self.slow_connections = Counter(
            "netaclaw_slow_connections", "Sockets that were cut off because they did not read", registry=registry
        )

    def run_started(self) -> None:
        """Count a run that begins."""
        self._active_runs.inc()

    def run_ended(self, state: str) -> None:
        """Count a run that ended as `done`, `failed`, `cancelled` or `interrupted`."""
        self._active_runs.dec()
        self._runs.labels(state).inc()

    def compaction_ended(self, trigger: str, outcome: str, tokens_saved: int, duration_seconds: float) -> None:
        """Count a compaction; `outcome` is `summary`, `prune` or the reason of a failure."""
        self._compactions.labels(trigger, outcome).inc()
        self._saved.inc(max(0, tokens_saved))
        self._compaction_seconds.observe(duration_seconds)

    def text(self) -> bytes:
        """Return all figures in the form that Prometheus reads."""
        return generate_latest(self._registry)
