"""Only pages of this very server come in: by name of the loopback, with its port."""

import pytest
from starlette.testclient import TestClient, WebSocketDenialResponse

from netaclaw.gateway.access import is_loopback
from tests.gateway.test_websocket import SOCKET


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765", "LOCALHOST:8765", "127.8.0.1:8765"])
def test_loopback_names_with_our_port_come_in(client: TestClient, host: str) -> None:
    assert client.get("/api/tools", headers={"Host": host, "Origin": f"http://{host}"}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example:8765", "127.0.0.1:9999", "127.0.0.1", "localhost.evil.example:8765", "", "0.0.0.0:8765"])
def test_another_host_is_refused_with_the_remedy(client: TestClient, host: str) -> None:
    answer = client.get("/api/tools", headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
    assert answer.json()["message"].endswith("open http://127.0.0.1:8765")


FOREIGN = ["http://evil.example", "http://127.0.0.1:9999", "null", "file://", "http://localhost.evil.example:8765", "chrome-extension://x"]


@pytest.mark.parametrize("origin", FOREIGN)
def test_another_page_is_refused_on_http_and_on_the_socket(client: TestClient, origin: str) -> None:
    assert client.post("/api/sessions", json={}, headers={"Origin": origin}).status_code == 403
    with pytest.raises(WebSocketDenialResponse), client.websocket_connect(SOCKET, headers={"Origin": origin}):
        pass
    assert client.get("/api/sessions").json()["sessions"] == []


def test_loopback_is_told_from_what_others_can_reach() -> None:
    assert [host for host in ("localhost", "127.0.0.1", "::1", "[::1]") if not is_loopback(host)] == []
    assert [host for host in ("0.0.0.0", "::", "192.168.0.1", "example.com", "") if is_loopback(host)] == []
