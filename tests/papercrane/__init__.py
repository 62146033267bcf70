"""A made-up agent conversation about a stationery shop, with which tests try the engine and the documents."""

from tests.papercrane.transcript import demo_transcript

__all__ = ["demo_transcript"]
