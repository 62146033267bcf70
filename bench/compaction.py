"""CPU and memory of one compaction, against `json.dumps` of the same messages.

`python -m bench.compaction` prints one line a case; each size runs in a process of its own, so that peaks do not mix.
"""

import asyncio
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable

from bench.conversation import conversation
from netaclaw.compaction import CompactionResult, CompactionSettings, compact, offline_summarizer, plan_compaction
from netaclaw.domain.messages import Message
from netaclaw.transcripts import to_neutral

SIZES = (1_000, 10_000, 100_000)
_KIB_IN_MIB = 1_024
_REPEATS = {1_000: 5, 10_000: 3, 100_000: 1}


def main() -> None:
    """Print the table."""
    print("CPU of one compaction (chars4 counter, offline summariser), as multiples of json.dumps of the same messages (baseline = 1)")
    print(" messages  json.dumps    plan  compact  + redact  + facts, audit  o200k, all       peak memory", flush=True)
    for size in SIZES:
        subprocess.run([sys.executable, "-m", "bench.compaction", str(size)], check=True)


def one_size(size: int) -> None:
    """Print the line of one size."""
    messages = conversation(size)
    settings = CompactionSettings(window_tokens=128_000)
    exact = CompactionSettings(window_tokens=128_000, counter="o200k")
    plan_compaction(messages[:50], exact)  # loads the vocabulary
    repeats = _REPEATS.get(size, 1)
    baseline = _baseline(messages)
    before = _peak_mib()
    cases: tuple[Callable[[], object], ...] = (
        lambda: plan_compaction(messages, settings, force=True),
        lambda: _compact(messages, settings, redact=False, audit=False),
        lambda: _compact(messages, settings, redact=True, audit=False),
        lambda: _compact(messages, settings, redact=True, audit=True),
        lambda: _compact(messages, exact, redact=True, audit=True),
    )
    shares = [_cpu(case, repeats) / baseline for case in cases]
    figures = " ".join(f"{share:>{width}.1f}" for share, width in zip(shares, (7, 8, 9, 15, 11), strict=True))
    print(f"{size:>9,} {baseline * 1_000:>8.1f} ms {figures} {_peak_mib() - before:>7.0f} + {before:.0f} MiB", flush=True)


def _baseline(messages: list[Message]) -> float:
    rows = to_neutral(messages)
    return _cpu(lambda: json.dumps(rows, ensure_ascii=False), 3)


def _compact(messages: list[Message], settings: CompactionSettings, *, redact: bool, audit: bool) -> CompactionResult:
    return asyncio.run(compact(messages, settings, offline_summarizer, force=True, redact=redact, audit=audit))


def _cpu(work: Callable[[], object], repeats: int) -> float:
    """Return the least CPU seconds of several runs."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _KIB_IN_MIB


if __name__ == "__main__":
    if len(sys.argv) > 1:
        one_size(int(sys.argv[1]))
    else:
        main()
