"""NetaClaw: chat server for LLM agents whose conversations never end at the context window."""

__version__ = "0.1.0"
