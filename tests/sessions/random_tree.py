"""Grows a random session tree through the real store and keeps a copy of every entry in memory, to walk as the reference."""

from random import Random

from netaclaw.domain.entries import (
    BranchSummaryPayload,
    CompactionPayload,
    CompactionUndoPayload,
    Entry,
    MessagePayload,
    ModelChangePayload,
    NoticePayload,
    Payload,
    PinPayload,
    Session,
    ThinkingChangePayload,
    TodoPayload,
)
from netaclaw.sessions import NewEntry, SessionStore
from netaclaw.sessions.tree import ContextRead, path, read_whole
from tests.builders import assistant, tool_call, tool_result, user


class RandomTree:
    """One session that grows at random: forks anywhere, compactions, prunes, undos, and what stands between messages."""

    def __init__(self, store: SessionStore, session: Session, seed: int) -> None:
        self._store = store
        self._session_id = session.id
        self._random = Random(seed)
        self._leaf_id: int | None = None
        self.entries: dict[int, Entry] = {}
        self.leaf_ids: set[int] = set()

    async def grow(self, leaves: int) -> None:
        """Append until the tree has this many leaves."""
        while len(self.leaf_ids) < leaves:
            parent_id = self._choose_parent()
            new = [NewEntry(payload, self._random.randrange(500)) for payload in self._choose_payloads(parent_id)]
            written = await self._store.append_many(self._session_id, self._leaf_id, new, parent_id=parent_id)
            self.entries |= {entry.id: entry for entry in written}
            self.leaf_ids = self.leaf_ids - {parent_id} | {written[-1].id}
            self._leaf_id = written[-1].id

    def walk(self, leaf_id: int) -> ContextRead:
        """Return the context of a leaf by a walk over its whole path."""
        return read_whole(path(self.entries, leaf_id))

    def _choose_parent(self) -> int | None:
        """The leaf, or a fork: a second root, any entry at all, one of the recent path (so inside or after the kept range)."""
        if self._leaf_id is None or self._random.random() < 0.7:
            return self._leaf_id
        if self._random.random() < 0.01:
            return None
        if self._random.random() < 0.5:
            return self._random.choice(list(self.entries))
        return self._random.choice(path(self.entries, self._leaf_id)[-40:]).id

    def _choose_payloads(self, parent_id: int | None) -> list[Payload]:
        if parent_id is None or self._random.random() < 0.45:
            return self._messages()
        full = path(self.entries, parent_id)
        read = read_whole(full)
        kind = self._random.choice(["summary", "summary", "prune", "undo", "undo", "note"])
        if kind == "summary":
            return [self._summary(full, read)]
        if kind == "prune":
            return [self._prune(read)]
        undo = self._undo(full, read) if kind == "undo" else None
        return [undo or self._note(full)]

    def _messages(self) -> list[Payload]:
        """A few turns, some with a notice between a call and its result."""
        payloads: list[Payload] = []
        for number in range(self._random.randint(1, 3)):
            payloads.append(MessagePayload(user(f"ask {number}"), attached="today" if self._random.random() < 0.2 else None))
            payloads.append(MessagePayload(assistant("I look", tool_call("c1", path="a.py"), thinking="hm", signature="sig==")))
            if self._random.random() < 0.3:
                payloads.append(NoticePayload("note", "between call and result"))
            payloads.append(MessagePayload(tool_result("c1", "content " * self._random.randint(1, 40), "read_file")))
        return payloads[: self._random.randint(1, len(payloads))]

    def _summary(self, full: tuple[Entry, ...], read: ContextRead) -> Payload:
        """A compaction: the first kept entry lies anywhere in the context (a late commit keeps much), rarely before it (a recompaction)."""
        first_kept = self._random.choice(full if self._random.random() < 0.1 else read.entries)
        before = full[: first_kept.depth]
        head = list(read.head) if read.governing else [entry.id for entry in full[:4]]
        texts = {**read.replacements.texts, **{entry.id: f"cut {entry.id}" for entry in self._some(read.entries, 3)}}
        return CompactionPayload(
            "summary",
            f"summary over {len(before)}",
            first_kept.id if self._random.random() < 0.97 else None,
            1_000,
            200,
            self._random.choice(["auto", "manual", "background"]),
            head_entry_ids=tuple(head[: self._random.randint(0, len(head))]),
            kept_entry_ids=tuple(entry.id for entry in self._some(before, 2)),
            pruned=texts,
            pruned_arguments=read.replacements.arguments,
            previous_compaction_id=read.governing.id if read.governing else None,
            state={"todo": [], "pins": [1, 2], "model": None},
            facts={"readFiles": ["a.py"]},
        )

    def _prune(self, read: ContextRead) -> Payload:
        targets = (*read.entries, *read.head.values(), *read.kept.values())
        some = self._some(targets, 4)
        arguments = {entry.id: {self._random.randrange(2): f"{{}} {len(read.entries)}"} for entry in some[:2]}
        pruned = {entry.id: f"short {len(read.entries)}" for entry in some}
        return CompactionPayload("prune", None, None, 1_000, 700, "auto", pruned=pruned, pruned_arguments=arguments)

    def _undo(self, full: tuple[Entry, ...], read: ContextRead) -> Payload | None:
        """The undo of the governing compaction or of any prune of the path."""
        prunes = [entry for entry in full if isinstance(entry.payload, CompactionPayload) and entry.payload.mode == "prune"]
        targets = [*self._some(prunes, 1), *([read.governing] if read.governing else [])]
        return CompactionUndoPayload(self._random.choice(targets).id) if targets else None

    def _note(self, full: tuple[Entry, ...]) -> Payload:
        target = self._random.choice(full).id
        notes: list[Payload] = [
            PinPayload(target, self._random.random() < 0.7),
            NoticePayload("compaction_event", "it failed", "auxiliary_timeout", {"seconds": 120}),
            ModelChangePayload(1, "model"),
            ThinkingChangePayload("high"),
            TodoPayload(({"text": "write", "status": "pending"},)),
            BranchSummaryPayload("what was tried", target),
        ]
        return self._random.choice(notes)

    def _some(self, entries: tuple[Entry, ...] | list[Entry], most: int) -> list[Entry]:
        return self._random.sample(list(entries), min(len(entries), self._random.randint(0, most)))
