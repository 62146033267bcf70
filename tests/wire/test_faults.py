"""What a provider may do wrong, through the whole house: right end, right reason, and the next message works."""

import asyncio
import time
from functools import partial
from pathlib import Path

import pytest

from netaclaw.domain.agents import Vendor
from netaclaw.domain.messages import Usage
from tests.providers.fake_servers import Fault, Json, Recorded, Reply
from tests.wire.talk import KEY, Talk, assert_every_start_has_one_end, kinds, open_talk

VENDORS: tuple[Vendor, ...] = ("openai", "deepseek", "anthropic")
OVERFLOW = {
    "openai": {
        "error": {
            "message": "maximum context length is 9000 tokens. However, your messages resulted in 9500 tokens.",
            "code": "context_length_exceeded",
        }
    },
    "deepseek": {
        "error": {
            "message": "This model's maximum context length is 9000 tokens. However, you requested 9500 tokens",
            "type": "invalid_request_error",
        }
    },
    "anthropic": {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: 9500 tokens > 9000 maximum"}},
}
SUMMARY = "## Goal\nMove the billing service of order ZX-4417 to the new database and keep the old interface. " * 6


async def grow(talk: Talk, turns: int = 6) -> None:
    """Let the conversation become long enough to be compacted."""
    for number in range(turns):
        talk.provider.script.append(partial(_counted, f"Step {number} is done. " * 80))
        await talk.say(f"Do step {number} of order ZX-4417. " + "Mind the old interface. " * 60)


def _counted(text: str, request: Recorded) -> Reply:
    """A provider that reports about what it was sent."""
    return Reply(text, usage=Usage(len(str(request.body)) // 5, len(text) // 5))


def end_of(frames: list[Json]) -> Json:
    return next(frame for frame in frames if frame["type"] == "run_end")


async def works_again(talk: Talk) -> None:
    """The next message is answered, and what was said before is carried along in a valid request."""
    talk.provider.script = [Reply("Here I am.")]
    frames = await talk.say("Are you there?")
    assert end_of(frames)["state"] == "done"
    assert_every_start_has_one_end(talk.frames)


@pytest.mark.parametrize("vendor", VENDORS)
async def test_an_overflow_answer_is_compacted_and_asked_again(vendor: Vendor, tmp_path: Path) -> None:
    async with open_talk(tmp_path, vendor, {"windowTokens": 100_000, "maxOutputTokens": 1_000}) as talk:
        await grow(talk)
        talk.provider.script = [Fault(400, OVERFLOW[vendor]), Reply("Now it fits.")]
        before = len(talk.provider.requests)
        frames = await talk.say("And step 6?")

        assert end_of(frames)["state"] == "done"
        assert kinds(frames, "compaction_start", "compaction_done") == ["compaction_start", "compaction_done"]
        assert next(frame for frame in frames if frame["type"] == "compaction_start")["trigger"] == "overflow"
        first, second = talk.provider.requests[before:]
        assert len(str(second.body)) < len(str(first.body))
        assert "[CONTEXT COMPACTION]" in str(second.body)
        await works_again(talk)


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("status", [429, 500])
async def test_a_busy_provider_is_asked_again_and_the_user_sees_nothing_of_it(vendor: Vendor, status: int, tmp_path: Path) -> None:
    async with open_talk(tmp_path, vendor) as talk:
        busy = Fault(status, {"error": {"message": "try again"}}, {"retry-after": "0.05"})
        talk.provider.script = [busy, busy, Reply("Third time.")]
        frames = await talk.say("Hello?")

        assert (end_of(frames)["state"], len(talk.provider.requests)) == ("done", 3)
        assert "compaction_start" not in kinds(frames)


async def test_without_a_hint_the_wait_is_a_second(tmp_path: Path) -> None:
    async with open_talk(tmp_path, "openai") as talk:
        talk.provider.script = [Fault(500, {"error": {"message": "boom"}}), Reply("Second time.")]
        started = time.monotonic()
        frames = await talk.say("Hello?")

        assert (end_of(frames)["state"], len(talk.provider.requests)) == ("done", 2)
        assert 1.0 <= time.monotonic() - started < 5.0


@pytest.mark.parametrize("vendor", VENDORS)
async def test_after_three_tries_the_run_fails_and_the_message_stays(vendor: Vendor, tmp_path: Path) -> None:
    async with open_talk(tmp_path, vendor) as talk:
        talk.provider.script = [Fault(429, {"error": {"message": "slow down"}}, {"retry-after": "0"})] * 3
        frames = await talk.say("Hello?")

        end = end_of(frames)
        assert (end["state"], end["reason"], len(talk.provider.requests)) == ("failed", "provider_busy", 3)
        assert "429" in end["error"]
        assert [entry["type"] for entry in await talk.history()] == ["message", "notice"]
        await works_again(talk)
        assert "Hello?" in str(talk.provider.requests[-1].body)


@pytest.mark.parametrize("vendor", VENDORS)
async def test_a_refused_key_is_not_tried_again_and_never_shown(vendor: Vendor, tmp_path: Path) -> None:
    async with open_talk(tmp_path, vendor) as talk:
        talk.provider.script = [Fault(401, {"error": {"message": f"Incorrect API key provided: {KEY}"}})]
        frames = await talk.say("Hello?")

        end = end_of(frames)
        assert (end["state"], end["reason"], len(talk.provider.requests)) == ("failed", "provider_auth", 1)
        assert "check the key of the channel" in end["error"]
        assert KEY not in str(talk.frames) + str(await talk.history())
        await works_again(talk)


@pytest.mark.parametrize("vendor", VENDORS)
async def test_a_cut_stream_keeps_what_arrived(vendor: Vendor, tmp_path: Path) -> None:
    async with open_talk(tmp_path, vendor) as talk:
        talk.provider.script = [Reply("The answer to all of it is forty-two.", cut_after=5)]
        frames = await talk.say("What is it?")

        end = end_of(frames)
        assert (end["state"], end["reason"], len(talk.provider.requests)) == ("failed", "provider_busy", 1)
        asked, cut, notice = await talk.history()
        arrived = "".join(frame.get("text") or "" for frame in frames if frame["type"] == "delta")
        assert arrived
        assert "The answer to all of it is forty-two.".startswith(arrived)
        assert cut["payload"]["isInterrupted"]
        assert arrived in str(cut["payload"]["message"])
        assert (asked["payload"]["message"]["role"], notice["type"]) == ("user", "notice")
        await works_again(talk)
        assert arrived in str(talk.provider.requests[-1].body)


@pytest.mark.parametrize("vendor", VENDORS)
async def test_a_stop_reaches_the_provider_and_keeps_what_arrived(vendor: Vendor, tmp_path: Path) -> None:
    async with open_talk(tmp_path, vendor) as talk:
        talk.provider.script = [Reply("A sentence that never comes to its end.", gate=asyncio.Event())]
        await talk.send("chat", text="Go on.")
        await talk.until("delta", 0)
        assert (await talk.send("stop"))["result"] == {"stopped": True}
        async with asyncio.timeout(5):
            await talk.provider.hung_up.wait()
        await talk.until("run_end", 0)

        assert (end_of(talk.frames)["state"], end_of(talk.frames)["reason"]) == ("cancelled", "stopped")
        entries = await talk.history()
        assert [entry["type"] for entry in entries] == ["message", "message"]
        assert entries[1]["payload"]["isInterrupted"]
        await works_again(talk)


async def test_a_stop_before_the_first_word_reaches_the_provider(tmp_path: Path) -> None:
    async with open_talk(tmp_path, "openai") as talk:
        talk.provider.script = [Fault(500, delay_seconds=30)]
        await talk.send("chat", text="Go on.")
        while not talk.provider.requests:
            await asyncio.sleep(0.01)
        assert (await talk.send("stop"))["result"] == {"stopped": True}
        await talk.until("run_end", 0)

        assert end_of(talk.frames)["state"] == "cancelled"
        await works_again(talk)


async def _own_auxiliary(talk: Talk, **agent: object) -> None:
    """Let a second channel to the same provider write the summaries."""
    made = {"name": "writer", "vendor": "openai", "model": "gpt-5.2", "baseUrl": talk.provider.base_url, "apiKey": KEY, "isAuxiliary": True}
    channel = await talk.call("POST", "/api/channels", made)
    chosen = {"auxiliaryMode": "channel", "auxiliaryModelChannelId": channel["id"], **agent}
    await talk.call("PATCH", f"/api/agents/{talk.agent_id}", chosen)


async def _compact(talk: Talk) -> Json:
    start = len(talk.frames)
    await talk.send("compact")
    await talk.told(lambda frame: frame["type"] in ("compaction_done", "compaction_failed"), start)
    await talk.until("token_update", start)
    assert_every_start_has_one_end(talk.frames)
    return next(frame for frame in talk.frames[start:] if frame["type"] in ("compaction_done", "compaction_failed"))


PARTS_TRIED = 3
"""All at once, then the first of two and of four parts: each is refused."""


@pytest.mark.parametrize(
    ("answers", "reason", "requests"),
    [
        ([Fault(500, {"error": {"message": "boom"}}, {"retry-after": "0"})] * 3, "auxiliary_error", 3),
        ([Fault(401, {"error": {"message": "bad key"}})], "auxiliary_auth", 1),
        ([Fault(402, {"error": {"message": "no credit"}})], "auxiliary_auth", 1),
        ([Fault(403, {"error": {"message": "no rights"}})], "auxiliary_auth", 1),
        ([Fault(400, OVERFLOW["openai"])] * PARTS_TRIED, "auxiliary_overflow", PARTS_TRIED),
        ([Reply("")] * 2, "empty_summary", 2),
        ([Reply("Too short.")] * 2, "short_summary", 2),
        ([Reply(SUMMARY, finish="length")] * 2, "truncated_summary", 2),
        ([Reply("word " * 6_000)] * 2, "inflated_summary", 2),
        ([Reply("I'm sorry, but I can't help with that.")] * 2, "refused_summary", 2),
    ],
)
async def test_a_summary_that_cannot_be_had_changes_nothing(
    answers: list[Reply | Fault], reason: str, requests: int, tmp_path: Path
) -> None:
    async with open_talk(tmp_path, "openai") as talk:
        await grow(talk)
        await _own_auxiliary(talk)
        before, asked = await talk.history(), len(talk.provider.requests)
        talk.provider.script = [*answers]

        end = await _compact(talk)

        assert (end["type"], end["reason"]) == ("compaction_failed", reason)
        assert len(talk.provider.requests) - asked == requests
        if reason == "auxiliary_auth":
            assert "writer" in end["error"]
        after = await talk.history()
        assert after[:-1] == before
        assert (after[-1]["type"], after[-1]["payload"]["reason"]) == ("notice", reason)
        await works_again(talk)


async def test_turns_that_the_auxiliary_model_cannot_read_at_once_go_in_parts(tmp_path: Path) -> None:
    async with open_talk(tmp_path, "openai") as talk:
        await grow(talk)
        await _own_auxiliary(talk)
        asked = len(talk.provider.requests)
        talk.provider.script = [Fault(400, OVERFLOW["openai"]), Reply(SUMMARY), Reply(SUMMARY)]

        end = await _compact(talk)

        assert end["type"] == "compaction_done"
        assert len(talk.provider.requests) - asked == 3
        await works_again(talk)


async def test_one_unusable_summary_is_asked_for_again(tmp_path: Path) -> None:
    async with open_talk(tmp_path, "openai") as talk:
        await grow(talk)
        await _own_auxiliary(talk)
        talk.provider.script = [Reply("Too short."), Reply(SUMMARY)]

        assert (await _compact(talk))["type"] == "compaction_done"
        await works_again(talk)


async def test_a_summary_survives_two_faults_of_its_provider(tmp_path: Path) -> None:
    async with open_talk(tmp_path, "openai") as talk:
        await grow(talk)
        await _own_auxiliary(talk)
        busy = Fault(503, {"error": {"message": "overloaded"}}, {"retry-after": "0"})
        talk.provider.script = [busy, busy, Reply(SUMMARY, usage=Usage(4_000, 300))]

        assert (await _compact(talk))["type"] == "compaction_done"
        details = next(entry["payload"]["details"] for entry in await talk.history() if entry["type"] == "compaction")
        assert (details["channel"], details["usage"]) == ("writer", {"input": 4_000, "output": 300})


async def test_a_deleted_session_is_stopped_at_the_provider_and_gone_for_its_browsers(tmp_path: Path) -> None:
    async with open_talk(tmp_path, "openai") as talk:
        talk.provider.script = [Reply("A sentence that never comes to its end.", gate=asyncio.Event())]
        await talk.send("chat", text="Go on.")
        await talk.until("delta", 0)
        await talk.send("chat", text="And this waits.")
        await talk.call("DELETE", f"/api/sessions/{talk.session_id}")

        error = await talk.told(lambda frame: frame["type"] == "error", 0)
        assert (error["code"], error["sessionId"]) == ("not_found", talk.session_id)
        assert talk.provider.hung_up.is_set()
        assert (await talk.send("chat", text="Hello?"))["code"] == "not_found"
        assert_every_start_has_one_end(talk.frames)
        assert len(talk.provider.requests) == 1
        metrics = (await talk.http.get("/metrics")).text
        assert "netaclaw_active_runs 0.0" in metrics


async def test_the_figures_of_runs_that_failed_stopped_and_ended_come_out_even(tmp_path: Path) -> None:
    def refuse(_: Recorded) -> Fault:
        return Fault(401, {"error": {"message": "bad key"}})

    async with open_talk(tmp_path, "openai") as talk:
        talk.provider.script = [refuse]
        await talk.say("one")
        await talk.say("two")
        metrics = (await talk.http.get("/metrics")).text
        assert "netaclaw_active_runs 0.0" in metrics
        assert 'netaclaw_runs_total{state="failed"} 1.0' in metrics
        assert 'netaclaw_runs_total{state="done"} 1.0' in metrics
