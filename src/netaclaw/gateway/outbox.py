"""What waits to be written to one socket: a bounded queue in front of the one writer."""

import asyncio
from collections import deque

MAX_FRAMES = 256
MAX_CHARS = 4_000_000


class Outbox:
    """Frames in order. Who puts some asks for room first, so a socket that does not read fills this and no more.

    A frame is taken whole even where it passes the limit by itself; so the memory is at most the limits and one frame per sender.
    """

    def __init__(self, max_frames: int = MAX_FRAMES, max_chars: int = MAX_CHARS) -> None:
        self._frames: deque[str] = deque()
        self._chars = 0
        self._max_frames = max_frames
        self._max_chars = max_chars
        self._has_frames = asyncio.Event()
        self._has_room = asyncio.Event()
        self._has_room.set()

    async def room(self) -> None:
        """Wait until there is room for another frame."""
        while not self._has_room.is_set():
            await self._has_room.wait()

    def put(self, frame: str) -> None:
        """Add a frame."""
        self._frames.append(frame)
        self._chars += len(frame)
        self._has_frames.set()
        if len(self._frames) >= self._max_frames or self._chars >= self._max_chars:
            self._has_room.clear()

    async def take(self) -> str:
        """Wait for the next frame and remove it."""
        while not self._frames:
            self._has_frames.clear()
            await self._has_frames.wait()
        frame = self._frames.popleft()
        self._chars -= len(frame)
        if len(self._frames) < self._max_frames and self._chars < self._max_chars:
            self._has_room.set()
        return frame
