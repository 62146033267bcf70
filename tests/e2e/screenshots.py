"""`make screenshots`: a picture of every state, in both languages, themes and sizes, in the ignored folder `screenshots/`.

`python -m tests.e2e.screenshots [PART ...]` makes only those whose names have one of these parts.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Browser, Page, async_playwright, expect

from tests.e2e.chromium import ARGUMENTS, REMEDY, find_chromium
from tests.e2e.scenes import staged_scenes, stories_for
from tests.e2e.stage import Stage, raised
from tests.e2e.states import STATES, first_start, reconnecting
from tests.e2e.story import LANGUAGES, LOCALES, Language
from tests.e2e.view import Show, View

FOLDER = Path(__file__).resolve().parents[2] / "screenshots"
_PATIENCE_MS = 10_000


@dataclass(frozen=True)
class Look:
    """One way to look at a state."""

    language: Language
    theme: Literal["light", "dark"]
    device: Literal["desktop", "phone"]

    def options(self, address: str) -> dict[str, Any]:
        """Return the options of a browser profile."""
        phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
        size = phone if self.device == "phone" else {"viewport": {"width": 1280, "height": 800}}
        common = {"base_url": address, "locale": LOCALES[self.language], "color_scheme": self.theme, "reduced_motion": "reduce"}
        return size | common

    def path(self, state: str) -> Path:
        """Return the file of a picture."""
        return FOLDER / f"{state}.{self.language}.{self.theme}.{self.device}.png"


async def main(parts: list[str]) -> int:
    """Make the pictures and return the exit code: 1 where a state could not be reached."""
    chromium = find_chromium()
    if chromium is None:
        print(f"screenshots: there is no Chromium here; {REMEDY}", file=sys.stderr)
        return 1
    FOLDER.mkdir(exist_ok=True)
    expect.set_options(timeout=_PATIENCE_MS)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        failed = [fault for language in LANGUAGES for fault in await _all_of(browser, language, parts)]
        await browser.close()
    print(f"screenshots: {FOLDER}" + "".join(f"\nnot reached: {fault}" for fault in failed))
    return 1 if failed else 0


async def _all_of(browser: Browser, language: Language, parts: list[str]) -> list[str]:
    looks = [Look(language, theme, device) for theme in ("light", "dark") for device in ("desktop", "phone")]
    states = [show for show in STATES if _is_wanted(show.__name__, parts)]
    failed: list[str] = []
    if states:
        with _stage(language) as stage:
            async with _page(browser, looks[0], stage) as page, staged_scenes(stage, page, language) as scenes:
                for look in looks:
                    for show in states:
                        async with _page(browser, look, stage) as fresh:
                            failed += await _shoot(View(fresh, scenes), show, look)
    for look in looks:
        await _shoot_first_start(browser, look, parts)
    return failed


async def _shoot(view: View, show: Show, look: Look) -> list[str]:
    """Make one picture; return what went wrong, so that the others are still made."""
    try:
        await show(view)
    except Exception as error:
        return [f"{look.path(show.__name__).stem}: {str(error).splitlines()[0]}"]
    finally:
        await view.page.screenshot(path=look.path(show.__name__))
    return []


async def _shoot_first_start(browser: Browser, look: Look, parts: list[str]) -> None:
    if not (_is_wanted("first_start", parts) or _is_wanted("reconnecting", parts)):
        return
    with tempfile.TemporaryDirectory() as folder, raised(Path(folder)) as stage:
        async with _page(browser, look, stage) as page:
            await first_start(page)
            await page.screenshot(path=look.path("first_start"))
            await reconnecting(page, stage)
            await page.screenshot(path=look.path("reconnecting"))


@contextmanager
def _stage(language: Language) -> Iterator[Stage]:
    with tempfile.TemporaryDirectory() as folder, raised(Path(folder), stories_for(language)) as stage:
        yield stage


@asynccontextmanager
async def _page(browser: Browser, look: Look, stage: Stage) -> AsyncIterator[Page]:
    context = await browser.new_context(**look.options(stage.server.address))
    context.set_default_timeout(_PATIENCE_MS)
    yield await context.new_page()
    await context.close()


def _is_wanted(name: str, parts: list[str]) -> bool:
    return not parts or any(part in name for part in parts)


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1:])))
