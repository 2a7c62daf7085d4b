"""Draws the Mermaid diagrams of the pages into `docs/pictures/diagrams`.

    python -m benchmarks.site.diagrams

GitHub draws them itself. The site shows these pictures, because Mermaid would be 3 MB of scripts,
which Material loads from another host. Chromium draws them with the Mermaid that NiceGUI brings.
"""

import os
import shutil
import threading
from importlib.util import find_spec
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks import ROOT
from benchmarks.site.stage import DIAGRAM, PICTURES, picture_name
from thistlebot.cli.manual import local_server

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_DRAW = """async ([text, name]) => {
  const { mermaid } = await import('/index.js');
  mermaid.initialize({ startOnLoad: false, theme: 'neutral', htmlLabels: false,
                       flowchart: { htmlLabels: false }, fontFamily: 'sans-serif' });
  return (await mermaid.render(name, text)).svg;
}"""


def main() -> None:
    """Draw the diagrams that have no picture, and remove pictures that no page shows."""
    pages = (page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md"))
    diagrams = {picture_name(text): text for page in pages for text in DIAGRAM.findall(page)}
    PICTURES.mkdir(exist_ok=True)
    for old in {file.name for file in PICTURES.iterdir()} - diagrams.keys():
        (PICTURES / old).unlink()
    missing = {name: text for name, text in diagrams.items() if not (PICTURES / name).exists()}
    spec = find_spec("nicegui")
    assert spec is not None
    mermaid = Path(str(spec.origin)).parent / "elements" / "mermaid" / "dist"
    program = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    sandbox = [] if os.name == "nt" or os.getuid() else ["--no-sandbox"]  # root has none
    with local_server(mermaid) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = playwright.chromium.launch(executable_path=program, args=sandbox).new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/index.js")
        page.set_content("<body></body>")
        for name, text in missing.items():
            svg = page.evaluate(_DRAW, [text, f"d{name.removesuffix('.svg')}"])
            drawn = svg.replace('style="', 'style="background: white; ', 1)  # also on a dark page
            (PICTURES / name).write_text(f"{drawn}\n", encoding="utf-8")
        server.shutdown()


if __name__ == "__main__":
    main()
