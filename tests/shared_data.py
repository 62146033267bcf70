"""Where the real transcripts stand: beside the checkout, never in it."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
DATA = SHARED / "data"
TOOLS = SHARED / "tools"

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is absent: tests on real transcripts are skipped")


def neutral_files() -> list[Path]:
    """Return every neutral transcript, whole and broken, in a fixed order."""
    return sorted(path for folder in ("neutral", "neutral-broken") for path in (DATA / folder).rglob("*.jsonl*"))
