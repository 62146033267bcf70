"""The demo as a stranger sees it: `netaclaw demo`, the page, one message, one compaction."""

from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.e2e.chat_page import ChatPage
from tests.e2e.conftest import OpenPage
from tests.e2e.demo import DEMO, open_demo
from tests.e2e.story import LOCALES, Language
from tests.server_process import Server, running

pytestmark = pytest.mark.asyncio(loop_scope="package")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("demo"), DEMO) as server:
        yield server


async def test_the_demo_says_plainly_that_its_model_is_none_and_shows_the_way_to_a_real_one(open_page: OpenPage, demo: Server) -> None:
    page = await open_page(base_url=demo.address)
    await page.goto("/")
    notice = page.get_by_test_id("offline-notice")
    await expect(notice).to_contain_text("no language model")
    await expect(page.get_by_test_id("session-item")).to_have_count(2)
    await page.get_by_test_id("session-item").first.get_by_role("link").click()
    await expect(notice).to_be_visible()
    await notice.get_by_role("link").click()
    await expect(page.get_by_test_id("add-channel")).to_be_visible()


@pytest.mark.parametrize(("language", "greeting", "state"), [("en", "hi", "Context compacted"), ("zh", "你好", "上下文已压缩")])
async def test_one_short_message_compacts_the_demo_and_the_conversation_goes_on(
    open_page: OpenPage, demo: Server, language: Language, greeting: str, state: str
) -> None:
    page = await open_page(base_url=demo.address, locale=LOCALES[language])
    chat = ChatPage(page)
    await open_demo(page, language)
    await chat.loaded()
    await expect(chat.bar).to_have_attribute("data-level", "ok")
    await chat.send(greeting)
    await expect(chat.compaction("done")).to_contain_text(state)
    await chat.is_idle()
    await expect(chat.bar).to_have_attribute("data-level", "ok")
    await chat.compaction("done").get_by_test_id("view-summary").click()
    await expect(page.get_by_test_id("summary-drawer")).to_contain_text("compaction/audit.py")
    await page.keyboard.press("Escape")
    await chat.send("list_files .")
    await expect(page.locator('[data-testid="message"][data-role="user"]').filter(has_text="list_files .")).to_be_visible()
    await chat.is_idle()
    await expect(page.get_by_test_id("notice-row")).to_have_count(0)
