"""What the runtime reports is what Prometheus reads."""

from netaclaw.gateway.metrics import Metrics


def test_runs_and_compactions_are_counted_by_outcome() -> None:
    metrics = Metrics()
    metrics.run_started()
    metrics.run_started()
    metrics.run_ended("done")
    metrics.compaction_ended("auto", "summary", 1_000, 0.2)
    metrics.compaction_ended("manual", "auxiliary_timeout", 0, 120)
    text = metrics.text().decode()
    for line in (
        'netaclaw_runs_total{state="done"} 1.0',
        "netaclaw_active_runs 1.0",
        'netaclaw_compactions_total{outcome="summary",trigger="auto"} 1.0',
        'netaclaw_compactions_total{outcome="auxiliary_timeout",trigger="manual"} 1.0',
        "netaclaw_compaction_tokens_saved_total 1000.0",
    ):
        assert line in text
