"""axe-core in the page: what breaks the rules of WCAG 2 A and AA."""

from pathlib import Path

from playwright.async_api import Page

_AXE = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

_RUN = """async () => {
  const found = await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations'] });
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html, any }) => [id, target.join(' '), html.slice(0, 160), ...any.map(({ message }) => message)].join(' | ')));
}"""


async def faults_of(page: Page) -> list[str]:
    """Return the faults that axe finds on the page as it stands."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(_AXE.read_text("utf-8"))  # the page's security policy lets no script element in
    found: list[str] = await page.evaluate(_RUN)
    return found
