"""The server of these tests, and conversations on it: each with an agent, a chat model and an auxiliary model of its own."""

import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tests.e2e.models import Endpoint, says
from tests.e2e.story import SUMMARY, Language, write_long_story, write_story
from tests.providers.fake_servers import Step
from tests.server_process import SERVE, Server, environment, running

Story: TypeAlias = Literal["en", "zh", "tools-en", "tools-zh", "long"]
LONG_STORY_MESSAGES = 10_000
_LARGE_WINDOW_TOKENS = 128_000


@dataclass(frozen=True)
class Conversation:
    """A session and the models that answer in it."""

    server: Server
    session_id: int
    agent_id: int
    agent_name: str
    chat: Endpoint
    auxiliary: Endpoint
    chat_channel_id: int
    auxiliary_channel_id: int

    @property
    def path(self) -> str:
        """Its address on the page."""
        return f"/chat/{self.session_id}"

    def context(self) -> Any:
        """Return the next model request."""
        return self.server.call("GET", f"/api/sessions/{self.session_id}/context")

    def history(self, view: Literal["compacted", "full"]) -> Any:
        """Return the newest page of a view."""
        return self.server.call("GET", f"/api/sessions/{self.session_id}/history?view={view}&limit=500")

    def fill(self, share: float) -> None:
        """Choose the window so that the context fills this share of the threshold."""
        used = self.context()["context"]["usedTokens"]
        self.set_window(int(used / 0.7 / share))

    def set_window(self, tokens: int) -> None:
        """Set the chat model's window."""
        self.server.call("PATCH", f"/api/channels/{self.chat_channel_id}", {"windowTokens": tokens})

    def entry_of_compaction(self) -> Any:
        """Return the newest compaction."""
        return next(entry for entry in reversed(self.history("full")["messages"]) if entry["type"] == "compaction")


@dataclass
class Stage:
    """A running server with sessions that are already filled, each to be used once."""

    server: Server
    workspace: Path
    filled: dict[Story, list[int]] = field(default_factory=dict)
    used: int = 0

    @asynccontextmanager
    async def conversation(
        self,
        *chat: Step,
        summaries: Sequence[Step] | None = None,
        story: Story | None = None,
        language: Language | None = None,
        filled: float = 0.5,
        name: str = "",
        agent: Mapping[str, Any] | None = None,
    ) -> AsyncIterator[Conversation]:
        """Give a conversation whose chat model answers with `chat`. With a story it is filled to that share of the threshold."""
        language = language or ("zh" if story and story.endswith("zh") else "en")
        async with Endpoint(*chat) as model, Endpoint(*(summaries or [says(SUMMARY[language])])) as writer:
            yield self._furnish(model, writer, story, filled, name, agent or {})

    def _furnish(
        self, model: Endpoint, writer: Endpoint, story: Story | None, filled: float, name: str, agent: Mapping[str, Any]
    ) -> Conversation:
        self.used += 1
        name = name or f"agent {self.used}"
        chat_id = self._channel(f"chat of {name}", model, is_auxiliary=False)
        writer_id = self._channel(f"summaries of {name}", writer, is_auxiliary=True)
        body = {
            "name": name,
            "channelId": chat_id,
            "tools": ["list_files", "read_file", "search_files", "todo"],
            "workspace": str(self.workspace),
        }
        auxiliary: dict[str, Any] = {"auxiliaryMode": "channel", "auxiliaryModelChannelId": writer_id}
        agent_id = self.server.call("POST", "/api/agents", {**body, **auxiliary, **agent})["id"]
        if story is None:
            session_id = self.server.call("POST", "/api/sessions", {"agentId": agent_id})["id"]
        else:
            session_id = self.filled[story].pop()
            self.server.call("PATCH", f"/api/sessions/{session_id}", {"agentId": agent_id})
        conversation = Conversation(self.server, session_id, agent_id, name, model, writer, chat_id, writer_id)
        if story is not None:
            conversation.fill(filled)
        return conversation

    def _channel(self, name: str, endpoint: Endpoint, *, is_auxiliary: bool) -> int:
        body = {"name": name, "vendor": "openai_compatible", "model": "fake-model", "baseUrl": endpoint.base_url}
        limits = {"windowTokens": _LARGE_WINDOW_TOKENS, "maxOutputTokens": 400}
        created: int = self.server.call("POST", "/api/channels", body | limits | {"isAuxiliary": is_auxiliary})["id"]
        return created


@contextmanager
def raised(folder: Path, stories: Mapping[Story, int] | None = None) -> Iterator[Stage]:
    """Import the stories, each as so many sessions, and start the server."""
    workspace = folder / "workspace"
    (workspace / "library").mkdir(parents=True)
    (workspace / "README.md").write_text("# Lending library\n\nIt lends books and reminds readers to bring them back.\n")
    (workspace / "slow.txt").write_text("a" * 200 + "!\n")  # some patterns take for ever here
    (workspace / "library" / "reminders.py").write_text("def due_today(loan):\n    return loan.due_on == datetime.now(UTC).date()\n")
    filled = _import(folder, [story for story, count in (stories or {}).items() for _ in range(count)])
    with running(folder / "data", SERVE) as server:
        yield Stage(server, workspace, filled)


def _import(folder: Path, stories: Sequence[Story]) -> dict[Story, list[int]]:
    files: dict[Story, Path] = {}
    for story in stories:
        path = files.setdefault(story, folder / f"{story}.jsonl")
        if not path.exists():
            _write(path, story)
    filled: dict[Story, list[int]] = defaultdict(list)
    if stories:
        command = [sys.executable, "-m", "netaclaw", "import", *(str(files[story]) for story in stories)]
        done = subprocess.run(command, env=environment(folder / "data"), capture_output=True, text=True, timeout=60, check=True)
        for story, number in zip(stories, re.findall(r"^session (\d+):", done.stdout, re.MULTILINE), strict=True):
            filled[story].append(int(number))
    return filled


def _write(path: Path, story: Story) -> None:
    if story == "long":
        write_long_story(path, LONG_STORY_MESSAGES)
    else:
        write_story(path, "zh" if story.endswith("zh") else "en", extra_tools=6 if story.startswith("tools") else 0)
