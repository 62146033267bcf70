"""The HTTP routes over the real application and a real database."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

KEY = "sk-very-secret-0123456789"


def channel(client: TestClient, **fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = client.post("/api/channels", json={"name": "A", "vendor": "openai", "model": "gpt-4o", **fields}).json()
    return made


def test_a_fresh_server_has_the_offline_channel_an_agent_and_the_default_auxiliary(client: TestClient) -> None:
    channels = client.get("/api/channels").json()["channels"]
    assert [(one["vendor"], one["isAuxiliary"], one["isEnabled"], one["hasKey"]) for one in channels] == [("offline", True, True, False)]
    assert [one["channelId"] for one in client.get("/api/agents").json()["agents"]] == [channels[0]["id"]]
    assert client.get("/api/dictionary").json() == {
        "types": [
            {
                "key": "netaclaw",
                "name": "NetaClaw配置",
                "items": [{"key": "default_auxiliary_channel_id", "value": str(channels[0]["id"])}],
            }
        ]
    }


def test_a_session_is_made_found_renamed_and_deleted(client: TestClient) -> None:
    made = client.post("/api/sessions", json={"title": "Harbour plan"})
    session_id = made.json()["id"]
    assert (made.status_code, made.json()["agentId"]) == (201, 1)
    assert client.patch(f"/api/sessions/{session_id}", json={"title": "Port plan"}).json()["title"] == "Port plan"
    client.post("/api/sessions", json={"title": "Other"})
    found = client.get("/api/sessions", params={"query": "port"}).json()
    assert ([one["id"] for one in found["sessions"]], found["hasMore"]) == ([session_id], False)
    assert client.delete(f"/api/sessions/{session_id}").status_code == 204
    assert client.get(f"/api/sessions/{session_id}").status_code == 404


def test_sessions_come_in_pages(client: TestClient) -> None:
    for number in range(5):
        client.post("/api/sessions", json={"title": str(number)})
    first = client.get("/api/sessions", params={"limit": 3}).json()
    rest = client.get("/api/sessions", params={"limit": 3, "before": first["sessions"][-1]["id"]}).json()
    assert [one["title"] for one in first["sessions"] + rest["sessions"]] == ["4", "3", "2", "1", "0"]
    assert (first["hasMore"], rest["hasMore"]) == (True, False)


def test_history_and_context_are_those_of_the_runtime(client: TestClient, session_id: int) -> None:
    history = client.get(f"/api/sessions/{session_id}/history", params={"view": "full", "before": 9, "limit": 5})
    assert history.json() == {"view": "full", "before": 9, "limit": 5, "entries": []}
    assert client.get(f"/api/sessions/{session_id}/history").json()["view"] == "compacted"
    assert client.get(f"/api/sessions/{session_id}/context").json()["messages"] == []


@pytest.mark.parametrize(
    ("field", "bad", "good"),
    [
        ("compactionThresholdPercent", [29, 25, 71, 96, 100, "x", 70.5], [30, 70, 95, None]),
        ("compactionProtectFirstN", [0, 11, -1], [1, 10, None]),
        ("maxSteps", [0, 1_001], [1, 1_000]),
        ("thinkingLevel", ["most"], ["high"]),
        ("auxiliaryMode", ["other"], ["same"]),
        ("compactionStrategy", ["lossless"], ["lossy"]),
        ("tools", [["rm"]], [["todo"], []]),
        ("workspace", ["relative", "/no/such/folder"], ["/", None]),
        ("channelId", [99], [1, None]),
        ("name", ["", " "], ["B"]),
        ("madeUp", [1], []),
    ],
)
def test_an_agents_settings_stay_within_their_limits(client: TestClient, field: str, bad: list[Any], good: list[Any]) -> None:
    for value in bad:
        answer = client.patch("/api/agents/1", json={field: value})
        assert (answer.status_code in (404, 422), answer.json()["message"] != "") == (True, True), value
    for value in good:
        assert client.patch("/api/agents/1", json={field: value}).json()[field] == value


def test_what_an_agents_change_leaves_out_stays(client: TestClient) -> None:
    before = client.patch("/api/agents/1", json={"compactionThresholdPercent": 80}).json()
    assert client.patch("/api/agents/1", json={"prompt": "Be brief"}).json() == {**before, "prompt": "Be brief"}


def test_an_auxiliary_channel_must_be_ticked(client: TestClient) -> None:
    plain = channel(client)["id"]
    for path, body in (
        ("/api/agents/1", {"auxiliaryModelChannelId": plain, "auxiliaryMode": "channel"}),
        ("/api/agents/1", {"auxiliaryMode": "channel"}),
    ):
        assert client.patch(path, json=body).status_code == 422
    item = "/api/dictionary/netaclaw/default_auxiliary_channel_id"
    assert (
        client.put(item, json={"value": str(plain)}).json()["message"] == "Channel 'A' may not write summaries; tick it as auxiliary first"
    )
    assert client.put(item, json={"value": "99"}).status_code == 404
    client.patch(f"/api/channels/{plain}", json={"isAuxiliary": True})
    assert client.put(item, json={"value": str(plain)}).json()["items"] == [{"key": "default_auxiliary_channel_id", "value": str(plain)}]
    assert client.put(item, json={"value": None}).json()["items"] == []


def test_a_key_goes_in_and_never_comes_out(client: TestClient, tmp_path: Path) -> None:
    made = channel(client, apiKey=KEY)
    address = f"/api/channels/{made['id']}"
    shown = [made, client.get(address).json(), client.get("/api/channels").json(), client.patch(address, json={"name": "B"}).json()]
    refused = client.patch(address, json={"apiKey": KEY + "é"})
    assert refused.status_code == 422
    assert KEY not in str([*shown, refused.json()])
    assert [one["hasKey"] for one in (shown[0], shown[1], shown[3])] == [True, True, True]
    assert [file.name for file in tmp_path.iterdir() if KEY.encode() in file.read_bytes()] == []
    assert client.patch(address, json={"apiKey": None}).json()["hasKey"] is False


def test_a_known_model_brings_its_limits_and_given_ones_win(client: TestClient) -> None:
    known, given, unknown = channel(client), channel(client, windowTokens=32_000), channel(client, model="my-own")
    assert [one["windowTokens"] for one in (known, given, unknown)] == [128_000, 32_000, None]
    changed = client.patch(f"/api/channels/{given['id']}", json={"model": "gpt-4.1"}).json()
    assert changed["windowTokens"] == 1_047_576


def test_the_offline_channel_passes_its_test_and_one_without_key_says_so(client: TestClient) -> None:
    assert client.post("/api/channels/1/test").json()["ok"] is True
    failed = client.post(f"/api/channels/{channel(client)['id']}/test").json()
    assert (failed["ok"], "no key" in failed["message"]) == (False, True)


def test_models_and_tools_are_listed(client: TestClient) -> None:
    assert {"name": "gpt-4o", "windowTokens": 128_000, "maxOutputTokens": 16_384} in client.get("/api/models").json()["models"]
    assert {"recall", "todo"} <= {tool["name"] for tool in client.get("/api/tools").json()["tools"]}


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("GET", "/api/sessions/99", None, 404, "not_found"),
        ("GET", "/api/sessions/99/history", None, 404, "not_found"),
        ("GET", "/api/sessions/1/history?limit=0", None, 422, "bad_request"),
        ("GET", "/api/sessions/1/history?view=half", None, 422, "bad_request"),
        ("GET", "/api/sessions/abc", None, 422, "bad_request"),
        ("GET", "/api/sessions/99999999999999999999", None, 422, "bad_request"),
        ("GET", "/api/nothing", None, 404, "not_found"),
        ("PUT", "/api/tools", None, 405, "method_not_allowed"),
        ("POST", "/api/sessions", b"{", 422, "bad_json"),
        ("POST", "/api/sessions", b"x" * 100_001, 413, "body_too_large"),
        ("POST", "/api/sessions", b'{"agentId": 99}', 404, "not_found"),
        ("POST", "/api/channels", b'{"name": "A", "vendor": "scripted", "model": "m"}', 422, "bad_request"),
        ("POST", "/api/channels", b'{"name": "A", "vendor": "openai", "model": "m", "baseUrl": "ftp://x"}', 422, "bad_request"),
        ("PUT", "/api/dictionary/nothing/x", b'{"value": "1"}', 404, "not_found"),
    ],
)
def test_every_error_has_a_code_and_a_message(
    client: TestClient, method: str, path: str, body: bytes | None, status: int, code: str
) -> None:
    answer = client.request(method, path, content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, sorted(answer.json()), answer.json()["code"]) == (status, ["code", "message"], code)


def test_health_readiness_and_figures(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"status": "ready"}
    figures = client.get("/metrics").text
    assert "netaclaw_compaction_tokens_saved_total 0.0" in figures


def test_the_page_is_served_with_its_policy_and_its_own_addresses_lead_to_it(client: TestClient) -> None:
    for path in ("/", "/agents/1"):
        page = client.get(path)
        if page.status_code == 503:
            pytest.skip("the page is not built")
        assert page.headers["content-type"].startswith("text/html")
        assert "script-src 'self'" in page.headers["content-security-policy"]
    for path in ("/assets/none.js", "/..%2f..%2fpyproject.toml", "/favicon.png"):
        assert client.get(path).status_code == 404
