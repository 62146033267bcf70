"""The choice of items: the most worth for the tokens there are."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import fsum, log2

from netaclaw.compaction.extractive.item import Item
from netaclaw.compaction.extractive.labels import GATHERING_OF, Gathering
from netaclaw.compaction.ledger.content_words import content_words
from netaclaw.compaction.size_estimate import estimated_tokens
from netaclaw.compaction.summary_sections import Section

_SHORTEST_SENTENCE_TOKENS = 10.0
"""Shorter sentences say too little to be worth their few tokens."""
_LINE_TOKENS = 2.0
_JOIN_TOKENS = 1.0
_SHARES: dict[Gathering | Section, float] = {
    "values": 0.4,
    "edited": 0.2,
    "read": 0.12,
    "mentioned": 0.06,
    "commands": 0.06,
    "constraints": 0.25,
    "decisions": 0.2,
    "blocked": 0.12,
    "next": 0.08,
    "done": 0.06,
}
"""The most that lines of a kind may take in the first round."""


def choose(items: Sequence[Item], room_tokens: float) -> list[Item]:
    """Return the items that give the most for the room. What a chosen line already says is not said again.

    In a first round no kind of line may take more than its share. What is left goes to outcomes of requests, then to anything.
    """
    choice = _Choice(items, room_tokens)
    choice.fill(with_shares=True)
    choice.fill(with_shares=False, only_outcomes=True)
    choice.fill(with_shares=False)
    return choice.chosen


class _Choice:
    def __init__(self, items: Sequence[Item], room_tokens: float) -> None:
        self.chosen: list[Item] = []
        self._items = items
        self._room = self._left = room_tokens
        self._used: defaultdict[str, float] = defaultdict(float)
        self._labels: set[tuple[str, str]] = set()
        self._text = ""
        self._covered: set[str] = set()
        self._sizes = [estimated_tokens(item.text) for item in items]
        self._words = [content_words(item.text) for item in items]
        self._rarity = _rarity(word_set for word_set, item in zip(self._words, items, strict=True) if item.is_soft)
        self._open = set(range(len(items)))

    def fill(self, *, with_shares: bool, only_outcomes: bool = False) -> None:
        """Take items by worth per token until nothing fits."""
        heap = [(-self._density(number), number) for number in self._open if self._items[number].is_outcome or not only_outcomes]
        heapq.heapify(heap)
        while heap and self._left > _LINE_TOKENS:
            known, number = heapq.heappop(heap)
            cost = self._cost(number)
            if cost > self._left or (with_shares and not self._has_share(number, cost)):
                continue
            density = self._density(number)
            if density < -known - 1e-9 and heap and density < -heap[0][0]:
                heapq.heappush(heap, (-density, number))
                continue
            self._open.discard(number)
            if density > 0 and (self._items[number].section == "goal" or self._items[number].text not in self._text):
                self._take(number, cost)

    def _take(self, number: int, cost: float) -> None:
        item = self._items[number]
        if item.is_outcome:
            self._drop_what_stands_in(item)
        self.chosen.append(item)
        self._left -= cost
        self._used[_kind(item)] += cost
        self._labels.add((item.section, item.label))
        if item.section != "goal":
            self._text += f"{item.text}\n"
        self._covered |= self._words[number]

    def _drop_what_stands_in(self, outcome: Item) -> None:
        repeated = [item for item in self.chosen if item.is_soft and item.section != "goal" and item.text in outcome.text]
        if repeated:
            self.chosen = [item for item in self.chosen if item not in repeated]
            self._left += sum(estimated_tokens(item.text) + _LINE_TOKENS for item in repeated)

    def _cost(self, number: int) -> float:
        item = self._items[number]
        if item.label and (item.section, item.label) in self._labels:
            return self._sizes[number] + _JOIN_TOKENS
        return self._sizes[number] + _LINE_TOKENS + (estimated_tokens(item.label) + 1 if item.label else 0)

    def _density(self, number: int) -> float:
        item, cost = self._items[number], self._cost(number)
        if not item.is_soft:
            return item.weight / cost
        new = fsum(self._rarity[word] for word in self._words[number] - self._covered)
        return item.weight * new / max(_SHORTEST_SENTENCE_TOKENS, cost)

    def _has_share(self, number: int, cost: float) -> bool:
        kind = _kind(self._items[number])
        share = _SHARES.get(kind)
        return share is None or self._used[kind] + cost <= share * self._room


def _kind(item: Item) -> Gathering | Section:
    return GATHERING_OF.get(item.label, item.section)


def _rarity(word_sets: Iterable[set[str]]) -> dict[str, float]:
    """Rare words are worth more, a word of everybody nothing; a pair of Chinese characters is half a word."""
    counts: Counter[str] = Counter()
    total = 0
    for word_set in word_sets:
        counts.update(word_set)
        total += 1
    scale = log2(2 + total)
    return {word: (0.6 if ord(word[0]) > 0x3000 else 1.0) * log2((1 + total) / count) / scale for word, count in counts.items()}
