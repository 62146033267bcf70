"""What browsers are told of a conversation with cleared output and a summary: exactly what the next request carries."""

from pathlib import Path
from typing import Any

import pytest

from tests.demo.open_demo import CHINESE_ID, ENGLISH_ID, open_demo, say


def _shown(frame: dict[str, Any]) -> str:
    parts = frame["payload"]["message"]["parts"]
    return str(frame.get("replacement") or "\n".join(part["text"] for part in parts if part["type"] == "text"))


@pytest.mark.parametrize("session_id", [CHINESE_ID, ENGLISH_ID])
@pytest.mark.parametrize("is_compacted", [False, True])
async def test_the_compacted_view_is_the_next_request(folder: Path, session_id: int, is_compacted: bool) -> None:
    async with open_demo(folder) as services:
        if is_compacted:
            await say(services, session_id, "hi")
        view = await services.conversations.history(session_id, "compacted", None, 500)
        request = await services.conversations.next_request(session_id)
        carried = [frame for frame in view["messages"] if frame["type"] == "message" or frame["isCompactionSummary"]]
        assert [frame["id"] for frame in carried] == request["entryIds"]
        results = [_shown(frame) for frame in carried if frame["type"] == "message" and frame["payload"]["message"]["role"] == "tool"]
        assert results == [message["content"] for message in request["messages"] if message["role"] == "tool"]
        assert view["isCompacted"] == is_compacted


async def test_the_list_says_which_conversation_is_compacted(folder: Path) -> None:
    async with open_demo(folder) as services:
        await say(services, ENGLISH_ID, "hi")
        assert await services.sessions.compaction_counts([CHINESE_ID, ENGLISH_ID, 99]) == {ENGLISH_ID: 1}
