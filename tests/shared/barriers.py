"""What axe-core finds on a page in a browser."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def barriers(page: Page, within: str | None = None) -> list[str]:
    """Run axe-core in a page; return its serious and critical findings.

    Args:
        page: The page, as it is now.
        within: A CSS selector, to judge a part of the page.
    """
    found = Axe().run(page, context=within).response["violations"]
    return [
        f"{each['id']}: {node['html']} ({node['failureSummary']})"
        for each in found
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]
