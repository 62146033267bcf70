"""The demo: a long conversation that NetaClaw makes itself, compacted before your eyes."""

from netaclaw.demo.show import run_demo
from netaclaw.demo.transcript import demo_transcript

__all__ = ["demo_transcript", "run_demo"]
