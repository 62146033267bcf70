"""Transcripts of agents in foreign formats: reading with every fault that real files have, and writing valid requests."""

from netaclaw.transcripts.anthropic import from_anthropic
from netaclaw.transcripts.anthropic_request import to_anthropic
from netaclaw.transcripts.neutral import from_neutral, to_neutral
from netaclaw.transcripts.openai import from_openai
from netaclaw.transcripts.openai_request import to_openai
from netaclaw.transcripts.read import FORMATS, read_transcript
from netaclaw.transcripts.transcript import Transcript
from netaclaw.transcripts.write import write_transcript

__all__ = [
    "FORMATS",
    "Transcript",
    "from_anthropic",
    "from_neutral",
    "from_openai",
    "read_transcript",
    "to_anthropic",
    "to_neutral",
    "to_openai",
    "write_transcript",
]
