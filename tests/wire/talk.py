"""The whole way of a message: a browser on the socket, the real application, the real SDK, a fake provider behind a real socket."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from netaclaw.app import create_app
from netaclaw.domain.agents import Vendor
from netaclaw.gateway.server import CutOffProtocol, bind
from netaclaw.settings import Settings
from tests.providers.conftest import MODELS, SERVERS
from tests.providers.fake_servers import FakeServer, Json

KEY = "sk-very-secret-key-1234567890"
WAIT_SECONDS = 20.0


@dataclass
class Talk:
    """One browser in one session, and the provider at the other end."""

    http: httpx2.AsyncClient
    socket: ClientConnection
    provider: FakeServer
    session_id: int
    agent_id: int
    channel_id: int
    frames: list[Json] = field(default_factory=list)
    """All that the browser was told, in order."""
    news: asyncio.Event = field(default_factory=asyncio.Event)
    asked: int = 0

    async def send(self, kind: str, **fields: Any) -> Json:
        """Send a command and return its answer."""
        self.asked += 1
        request_id = f"r{self.asked}"
        await self.socket.send(json.dumps({"type": kind, "requestId": request_id, "sessionId": self.session_id, **fields}))
        return await self.told(lambda frame: frame.get("requestId") == request_id, 0)

    async def say(self, text: str) -> list[Json]:
        """Send a message and return what was told from then to the size after its run."""
        start = len(self.frames)
        await self.send("chat", text=text)
        await self.until("run_end", start)
        return self.frames[start:]

    async def until(self, kind: str, start: int) -> Json:
        """Wait for the first frame of a kind after the first `start` ones; for the end of a run, until the session is at rest."""
        found = await self.told(lambda frame: frame["type"] == kind, start)
        if kind in ("run_end", "compaction_done", "compaction_failed"):
            await self.told(lambda frame: frame["type"] == "token_update", self.frames.index(found) + 1)
        return found

    async def told(self, is_wanted: Any, start: int) -> Json:
        """Wait for a frame."""
        async with asyncio.timeout(WAIT_SECONDS):
            while True:
                for frame in self.frames[start:]:
                    if is_wanted(frame):
                        return frame
                self.news.clear()
                await self.news.wait()

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """Make one request and return the JSON of the answer."""
        answer = await self.http.request(method, path, json=body)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    async def history(self, view: str = "full") -> list[Json]:
        """Return the entries of a view."""
        page = await self.call("GET", f"/api/sessions/{self.session_id}/history?view={view}&limit=500")
        messages: list[Json] = page["messages"]
        return messages

    async def change_channel(self, **fields: Any) -> None:
        """Change the channel."""
        await self.call("PATCH", f"/api/channels/{self.channel_id}", fields)


@asynccontextmanager
async def open_talk(
    folder: Path, vendor: Vendor, channel: Json | None = None, agent: Json | None = None, servers: type[FakeServer] | None = None
) -> AsyncIterator[Talk]:
    """Start provider and application, make a channel, an agent and a session, and listen to it."""
    async with (servers or SERVERS[vendor])() as provider, _serving(folder) as port, httpx2.AsyncClient(base_url=_http(port)) as http:
        made = {"name": "main", "vendor": vendor, "model": MODELS[vendor], "baseUrl": provider.base_url, "apiKey": KEY, **(channel or {})}
        channel_id = (await http.post("/api/channels", json=made)).raise_for_status().json()["id"]
        who = {"name": "tester", "prompt": "You are a tester.", "channelId": channel_id, **(agent or {})}
        agent_id = (await http.post("/api/agents", json=who)).raise_for_status().json()["id"]
        session_id = (await http.post("/api/sessions", json={"agentId": agent_id})).raise_for_status().json()["id"]
        async with connect(f"ws://127.0.0.1:{port}/ws", max_size=None) as socket:
            talk = Talk(http, socket, provider, session_id, agent_id, channel_id)
            listener = asyncio.create_task(_listen(talk))
            try:
                await talk.send("subscribe")
                yield talk
            finally:
                listener.cancel()
                await asyncio.gather(listener, return_exceptions=True)


def _http(port: int) -> str:
    return f"http://127.0.0.1:{port}"


@asynccontextmanager
async def _serving(folder: Path) -> AsyncIterator[int]:
    bound = bind("127.0.0.1", 0)
    app = create_app(Settings(data_dir=folder))
    config = uvicorn.Config(app, lifespan="on", log_config=None, access_log=False, ws=CutOffProtocol, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[bound]))
    try:
        while not server.started:
            assert not serving.done(), "the server did not start"
            await asyncio.sleep(0.01)
        yield bound.getsockname()[1]
    finally:
        server.should_exit = True
        await serving
        bound.close()


async def _listen(talk: Talk) -> None:
    with suppress(asyncio.CancelledError):
        async for frame in talk.socket:
            talk.frames.append(json.loads(frame))
            talk.news.set()


def kinds(frames: list[Json], *wanted: str) -> list[str]:
    """Return the types of the frames, of these kinds only."""
    return [frame["type"] for frame in frames if not wanted or frame["type"] in wanted]


def assert_every_start_has_one_end(frames: list[Json]) -> None:
    """Runs and compactions: a start, its end, then the next one."""
    runs = kinds(frames, "run_start", "run_end")
    compactions = kinds(frames, "compaction_start", "compaction_done", "compaction_failed")
    assert runs == ["run_start", "run_end"] * (len(runs) // 2)
    assert compactions[::2] == ["compaction_start"] * (len(compactions) // 2)
    assert len(compactions) % 2 == 0
    assert "compaction_start" not in compactions[1::2]
