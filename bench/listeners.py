"""The browsers' ends of `bench.streaming`, in a process of their own: subscribe, ask once, count the frames of the reply.

`python -m bench.listeners ADDRESS SESSION CONNECTIONS` prints `begun` at the first piece and `ended FRAMES` after the last one.
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack

from websockets.asyncio.client import ClientConnection, connect

from bench.streaming_server import TEXT

_LONGEST_SECONDS = 90


async def listen(address: str, session_id: int, connections: int) -> None:
    """Hold the connections until every one has the whole reply. Raises TimeoutError after 90 s."""
    async with asyncio.timeout(_LONGEST_SECONDS), AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(connect(address)) for _ in range(connections)]
        await asyncio.gather(*(_subscribe(socket, session_id) for socket in sockets))
        begun = asyncio.Event()
        counting = [asyncio.create_task(_count_frames(socket, begun)) for socket in sockets]
        await sockets[0].send(json.dumps({"type": "chat", "requestId": "ask", "sessionId": session_id, "text": "Speak."}))
        await begun.wait()
        print("begun", flush=True)
        print("ended", sum(await asyncio.gather(*counting)), flush=True)
        await asyncio.to_thread(sys.stdin.read)  # leaving would cost the server, too


async def _subscribe(socket: ClientConnection, session_id: int) -> None:
    await socket.send(json.dumps({"type": "subscribe", "requestId": "hear", "sessionId": session_id}))
    while json.loads(await socket.recv())["type"] != "ack":
        pass


async def _count_frames(socket: ClientConnection, begun: asyncio.Event) -> int:
    frames = chars = 0
    while chars < len(TEXT):
        frame = json.loads(await socket.recv())
        if frame["type"] == "delta":
            begun.set()
            frames += 1
            chars += len(frame["text"])
    return frames


if __name__ == "__main__":
    asyncio.run(listen(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
