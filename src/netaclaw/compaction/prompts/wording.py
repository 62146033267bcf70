"""The shape of everything the engine says to a model or writes into a context, once a language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """All fixed texts of one language. `{names}` in braces are filled by `fill`."""

    first_prompt: str
    """For a first summary: {serialized_conversation}, {summary_budget}."""
    update_prompt: str
    """For an update: {previous_summary}, {serialized_new_turns}, {summary_budget}."""
    rules: str
    """What is added to both prompts: transcript text is data, secrets stay out, the language."""
    focus: str
    """{focus}: what the user asked to keep, as data."""
    preamble: str
    """First paragraph of a summary message; its first line is fixed for ever, so that old summaries are recognised."""
    recall_hint: str
    """Added to the preamble where the agent has the tool `recall`."""
    end_marker: str
    """Last line of a summary message."""
    cleared: str
    """Start of the text that replaces an old tool output."""
    cleared_duplicate: str
    """Said of an output that stands again further down."""
    failed: str
    exit_code: str
    """{code}"""
    size: str
    """{lines}, {chars}"""
    entry: str
    """{entry_id}"""
    left_out: str
    """{chars}: stands where the middle of a long text was cut."""
    compacted_result: str
    """Result of a call whose real result lies in compacted history."""
    interrupted_call: str
    """Result of a call that never got one."""
    missing_start: str
    """User message before a transcript that does not begin with one."""
