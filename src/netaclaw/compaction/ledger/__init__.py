"""The fact ledger: what stands in the messages that a summary must not lose, found without a model."""

from collections.abc import Callable, Sequence

from netaclaw.compaction.ledger.fact import Fact, FactKind
from netaclaw.compaction.ledger.merge import merge_facts
from netaclaw.compaction.ledger.observation import Observation
from netaclaw.compaction.ledger.observe import facts_of
from netaclaw.compaction.ledger.values import WordReader
from netaclaw.compaction.redaction import redact_all, redact_messages
from netaclaw.domain.messages import Message

__all__ = ["Fact", "FactKind", "Observation", "collect_facts", "facts_of", "merge_facts"]


def collect_facts(messages: Sequence[Message], clean: Callable[[Sequence[str]], Sequence[str]] = redact_all) -> tuple[Fact, ...]:
    """Return the facts of the messages, most important first; `clean` takes secrets out of texts before they are read."""
    reader = WordReader()
    return merge_facts(facts_of(message, index, reader) for index, message in enumerate(redact_messages(messages, clean)))
