"""OpenAI, DeepSeek and Anthropic through the whole house: tools, streaming, usage, thinking there and back."""

from pathlib import Path

import pytest

from netaclaw.domain.agents import Vendor
from netaclaw.domain.messages import ToolCall, Usage
from tests.providers.fake_servers import Json, Reply
from tests.wire.talk import Talk, assert_every_start_has_one_end, kinds, open_talk

VENDORS: tuple[Vendor, ...] = ("openai", "deepseek", "anthropic")
CALL = ToolCall("call_1", "read_file", '{"path": "notes.txt"}')
SIGNATURE = "EqoBCkgIARABGAIiQL+/=="


def workspace(folder: Path) -> str:
    """Return a folder with a file that the tools may read."""
    files = folder / "workspace"
    files.mkdir()
    (files / "notes.txt").write_text("the order is ZX-4417\n")
    return str(files)


def replies(talk: Talk) -> None:
    """Let the provider ask for a file, then answer."""
    talk.provider.script += [
        Reply("I read it.", (CALL,), thinking="Notes first.", signature=SIGNATURE, usage=Usage(1_500, 40)),
        Reply("It is ZX-4417.", thinking="There it is.", signature=SIGNATURE, usage=Usage(1_700, 20, cache_read_tokens=600)),
    ]


def reader(folder: Path) -> Json:
    return {"tools": ["read_file"], "workspace": workspace(folder), "thinkingLevel": "high"}


@pytest.mark.parametrize("vendor", VENDORS)
async def test_a_tool_is_called_and_all_of_it_is_streamed_counted_and_stored(vendor: Vendor, tmp_path: Path) -> None:
    async with open_talk(tmp_path, vendor, {"maxOutputTokens": 8_000}, reader(tmp_path)) as talk:
        replies(talk)
        frames = await talk.say("Which order is it?")

        assert_every_start_has_one_end(frames)
        assert kinds(frames, "tool_start", "tool_end") == ["tool_start", "tool_end"]
        deltas = [frame for frame in frames if frame["type"] == "delta"]
        assert "".join(frame.get("text") or "" for frame in deltas) == "I read it.It is ZX-4417."
        assert "".join(frame.get("thinking") or "" for frame in deltas) == "Notes first.There it is."
        arguments = "".join(frame["toolCall"]["arguments"] for frame in deltas if frame.get("toolCall"))
        assert arguments.replace(" ", "") == CALL.arguments.replace(" ", "")
        size = [frame for frame in frames if frame["type"] == "token_update"][-1]
        assert size["current"] == {"inputTokens": 3_200, "outputTokens": 60, "totalTokens": 3_260, "apiCalls": 2}
        assert (size["context"]["source"], size["context"]["estimated"]) == ("provider", False)
        assert 1_700 <= size["context"]["usedTokens"] <= 1_720
        assert "ZX-4417" in str(talk.provider.requests[1].body)
        roles = [entry["payload"]["message"]["role"] for entry in await talk.history() if entry["type"] == "message"]
        assert roles == ["user", "assistant", "tool", "assistant"]


async def test_anthropics_signed_thinking_is_stored_and_sent_back_byte_for_byte(tmp_path: Path) -> None:
    async with open_talk(tmp_path, "anthropic", {"maxOutputTokens": 8_000}, reader(tmp_path)) as talk:
        replies(talk)
        await talk.say("Which order is it?")
        await talk.say("Thanks.")

        signed = {"type": "thinking", "thinking": "Notes first.", "signature": SIGNATURE}
        for request in talk.provider.requests[1:]:
            assert request.body["messages"][1]["content"][0] == signed
        stored = [entry["payload"]["message"] for entry in await talk.history() if entry["type"] == "message"]
        assert SIGNATURE in str(stored[1])
        assert talk.provider.requests[2].body["messages"][3]["content"][0]["signature"] == SIGNATURE


async def test_deepseeks_reasoning_is_sent_back_after_a_tool_call(tmp_path: Path) -> None:
    async with open_talk(tmp_path, "deepseek", {"maxOutputTokens": 8_000}, reader(tmp_path)) as talk:
        replies(talk)
        await talk.say("Which order is it?")
        await talk.say("Thanks.")

        sent = [
            [said.get("reasoning_content") for said in request.body["messages"] if said["role"] == "assistant"]
            for request in talk.provider.requests
        ]
        assert sent == [[], ["Notes first."], ["Notes first.", "There it is."]]


@pytest.mark.parametrize("vendor", VENDORS)
async def test_a_compaction_between_two_requests_of_one_run(vendor: Vendor, tmp_path: Path) -> None:
    """The tool's result carries the context over the threshold; the second request is a compacted one."""
    files = Path(workspace(tmp_path))
    (files / "notes.txt").write_text("".join(f"line {number}: nothing to see here, move on\n" for number in range(900)))
    agent = {"tools": ["read_file"], "workspace": str(files)}
    async with open_talk(tmp_path, vendor, {"windowTokens": 20_000, "maxOutputTokens": 1_000}, agent) as talk:
        for number in range(5):
            talk.provider.script.append(Reply(f"Step {number} is done. " * 60, usage=Usage(2_000 * (number + 1), 300)))
            await talk.say(f"Do step {number} of order ZX-4417. " + "Mind the old interface. " * 40)
        assert "compaction_start" not in kinds(talk.frames)
        talk.provider.script += [Reply("I read.", (CALL,), usage=Usage(11_000, 50)), Reply("All read.", usage=Usage(6_000, 20))]

        frames = await talk.say("Now read the notes.")

        assert_every_start_has_one_end(frames)
        order = kinds(frames, "run_start", "tool_end", "compaction_start", "compaction_done", "run_end")
        assert order == ["run_start", "tool_end", "compaction_start", "compaction_done", "run_end"]
        done = next(frame for frame in frames if frame["type"] == "compaction_done")
        assert done["removedCount"] > 0 or done["prunedCount"] > 0
        assert frames[-1]["context"]["usedTokens"] < frames[-1]["context"]["thresholdTokens"]
        assert len(str(talk.provider.requests[-1].body)) < len(str(talk.provider.requests[-2].body)) + 30_000
        assert (await talk.say("Thank you."))[-2]["state"] == "done"
