"""What a language must say on the terminal: the names of all fixed texts, and what is filled into them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

ScreenLanguage: TypeAlias = Literal["zh", "en"]

Kind: TypeAlias = Literal["system", "user", "assistant", "arguments", "toolResults", "thinking", "images"]
"""What tokens are spent on; the names are those of `inspect --json`."""


@dataclass(frozen=True, slots=True)
class Words:
    """All fixed texts of one language; `{names}` are filled with `str.format`."""

    roles: Mapping[str, str]
    kinds: Mapping[Kind, str]
    statuses: Mapping[str, str]
    reasons: Mapping[str, str]
    """Reason codes in words."""
    messages: str
    """{count} {roles}"""
    bar: str
    """{used} {window} {percent} {counter}"""
    threshold: str
    """{threshold} {percent}"""
    would_compact: str
    would_not_compact: str
    would_prune: str
    would_prune_in_vain: str
    would_not_because: str
    """{reason} in both"""
    if_forced: str
    tokens_by_kind: str
    number_of_messages: str
    share: str
    all_text: str
    all_tokens: str
    phases: str
    prune: str
    cut: str
    summarize: str
    assemble: str
    nothing_to_prune: str
    cleared_results: str
    cleared_duplicates: str
    shortened_arguments: str
    relieved_results: str
    """The four begin a sentence that `freed` ends; {count} in each."""
    freed: str
    """{freed} {after}"""
    suffices: str
    does_not_suffice: str
    goes_on: str
    not_run: str
    head: str
    middle: str
    kept: str
    tail: str
    interval: str
    """{count} {tokens}"""
    interval_of_one: str
    """{tokens}"""
    none: str
    summary_input: str
    """{count} {tokens} {budget} {language}"""
    with_previous_summary: str
    expected: str
    """{tokens} {messages} {percent}"""
    biggest: str
    warnings: str
    more: str
    """{count}"""
    report: str
    """{status} {before} {after} {saved} {messages_before} {messages_after}"""
    report_details: str
    """{removed} {pruned}"""
    pruned_in_vain: str
    """What else can be done where cutting tool output was all that could be done, and too little."""
    audit: str
    """{checked} {missing} {repaired}"""
    languages: Mapping[str, str]
    joint: str
    """Between two parts of a sentence."""
