"""The object of `inspect --json`. Its keys are fixed: scripts read them.

file, format                  what was read, and the transcript format it was taken for
counter                       the counter that decides; every figure without another name is its
windowTokens, thresholdTokens, thresholdPercent
usedTokens, usedPercent       size of the conversation, and its share of the window in percent
messages                      {total, system, user, assistant, tool}
kinds                         {system, user, assistant, arguments, toolResults, thinking, images}, each
                              {messages, o200k, chars4}: tokens by both counters
textTokens                    {o200k, chars4}: text and arguments, the sum of the first five kinds, exactly the counter's figure
allTokens                     {o200k, chars4}: the sum of all kinds
wouldCompact, action, reason  what a run does: `none`, `prune` or `summarize`; a reason code or null
isHypothetical                whether `phases` shows what --force would do, because nothing is needed
phases                        {prune, cut, summarize, assemble}; null for a phase that is not run
  prune                       {results, duplicates, arguments, relieved, freedTokens, tokensAfter, suffices}
  cut                         {head, middle, kept, tail}, each {messages, tokens, first, last, firstWords, lastWords};
                              first and last count from 0 and are null for an empty interval
  summarize                   {messages, inputTokens, budgetTokens, language, hasPreviousSummary}
  assemble                    {messages, tokens}: what is left if the summary fills its budget
biggest                       [{index, role, name, tokens, firstWords}], largest first
warnings                      what the reader had to repair or skip
"""

from typing import Any

from netaclaw.domain.messages import Message
from netaclaw.terminal.inspection import Inspection, Interval, PruneOutlook
from netaclaw.terminal.preview import preview

_PREVIEW_COLUMNS = 120


def inspection_object(inspection: Inspection, file: str, transcript_format: str, warnings: tuple[str, ...]) -> dict[str, Any]:
    """Return an inspection as one JSON object."""
    return {
        "file": file,
        "format": transcript_format,
        **_sizes(inspection),
        "wouldCompact": inspection.plan.action != "none",
        "action": inspection.plan.action,
        "reason": inspection.plan.reason,
        "isHypothetical": inspection.is_hypothetical,
        "phases": _phases(inspection),
        "biggest": [
            {"index": index, "tokens": inspection.tokens[index], **_identity(inspection.messages[index])} for index in inspection.biggest
        ],
        "warnings": list(warnings),
    }


def _sizes(inspection: Inspection) -> dict[str, Any]:
    settings, plan = inspection.settings, inspection.plan
    return {
        "counter": settings.counter,
        "windowTokens": settings.window_tokens,
        "thresholdTokens": plan.threshold_tokens,
        "thresholdPercent": settings.threshold_percent,
        "usedTokens": plan.tokens_before,
        "usedPercent": round(100 * plan.tokens_before / settings.window_tokens, 1),
        "messages": {"total": sum(inspection.roles.values()), **inspection.roles},
        "kinds": {kind.kind: {"messages": kind.messages, "o200k": kind.o200k, "chars4": kind.chars4} for kind in inspection.counted.kinds},
        "textTokens": {"o200k": inspection.text_tokens("o200k"), "chars4": inspection.text_tokens("chars4")},
        "allTokens": {"o200k": inspection.all_tokens("o200k"), "chars4": inspection.all_tokens("chars4")},
    }


def _phases(inspection: Inspection) -> dict[str, Any]:
    cut, summary, result = inspection.cut, inspection.summary, inspection.result
    return {
        "prune": _prune(inspection.prune),
        "cut": cut and {name: _interval(inspection, getattr(cut, name)) for name in ("head", "middle", "kept", "tail")},
        "summarize": summary
        and {
            "messages": summary.messages,
            "inputTokens": summary.input_tokens,
            "budgetTokens": summary.budget_tokens,
            "language": summary.language,
            "hasPreviousSummary": summary.has_previous_summary,
        },
        "assemble": result and {"messages": result.messages, "tokens": result.tokens},
    }


def _prune(prune: PruneOutlook) -> dict[str, Any]:
    return {
        "results": prune.results,
        "duplicates": prune.duplicates,
        "arguments": prune.arguments,
        "relieved": prune.relieved,
        "freedTokens": prune.freed_tokens,
        "tokensAfter": prune.tokens_after,
        "suffices": prune.suffices,
    }


def _interval(inspection: Inspection, interval: Interval) -> dict[str, Any]:
    if not interval.indices:
        return {"messages": 0, "tokens": 0, "first": None, "last": None, "firstWords": None, "lastWords": None}
    first, last = interval.indices[0], interval.indices[-1]
    return {
        "messages": len(interval.indices),
        "tokens": interval.tokens,
        "first": first,
        "last": last,
        "firstWords": preview(inspection.messages[first], _PREVIEW_COLUMNS),
        "lastWords": preview(inspection.messages[last], _PREVIEW_COLUMNS),
    }


def _identity(message: Message) -> dict[str, Any]:
    return {"role": message.role, "name": message.name, "firstWords": preview(message, _PREVIEW_COLUMNS)}
