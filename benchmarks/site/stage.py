"""Collects the pages of the documentation site in `build/site-source`, from which MkDocs builds it.

    python -m benchmarks.site.stage

The copy has the folders of the repository, so a relative link leads to the same page on GitHub and
on the site. Three things differ: a link to a folder leads to a list of its pages, a Mermaid diagram
is a drawn picture (benchmarks/site/diagrams.py), and a notebook is a page.
"""

import hashlib
import re
import shutil
import sys
from pathlib import Path

from benchmarks import ROOT
from benchmarks.site.notebooks import NOTEBOOKS, notebook_page

STAGED = ROOT / "build" / "site-source"
PAGES = ("*.md", "docs/**/*.md", "firmware/*.md", "firmware/simulator/*.md", "examples/*/*.md")
FILES = ("LICENSE", "docs/pictures/**/*", "robot/data/default_rig.toml")
"""What the pages show, or link to."""
PICTURES = ROOT / "docs" / "pictures" / "diagrams"
DIAGRAM = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FOLDERS = {"docs/adr": "Decisions", "docs/measurements": "Measurements"}
_LINK = re.compile(r"(\]\()([^)#\s]+)(\))")
_ROW = re.compile(r"^\|.*$", re.MULTILINE)
_CODE = re.compile(r"`[^`\n]+`")


def picture_name(diagram: str) -> str:
    """Return the file name of a diagram's picture: a checksum, so no outdated picture is shown."""
    return f"{hashlib.sha256(diagram.encode()).hexdigest()[:12]}.svg"


def site_page(file: Path, text: str) -> str:
    """Return a page as MkDocs is to read it.

    Args:
        file: The page in the repository; links are relative to it.
        text: Its Markdown.

    Raises:
        FileNotFoundError: A diagram has not been drawn.
    """

    def lead(link: re.Match[str]) -> str:
        before, target, after = link.groups()
        if "://" not in target and (file.parent / target).is_dir():
            target = f"{target.rstrip('/')}/index.md"
        elif target.endswith(".ipynb"):
            target = f"{target.removesuffix('.ipynb')}.md"
        return f"{before}{target}{after}"

    def draw(diagram: re.Match[str]) -> str:
        picture = PICTURES / picture_name(diagram[1])
        if not picture.is_file():
            raise FileNotFoundError(f"{file} has a diagram that is not drawn: run make diagrams")
        up = "../" * len(file.relative_to(ROOT).parts[1:])
        return f"![diagram]({up}{picture.relative_to(ROOT).as_posix()})"

    def unescape(row: re.Match[str]) -> str:
        """Python-Markdown keeps the backslash that GitHub needs before a bar inside code."""
        return _CODE.sub(lambda code: code[0].replace("\\|", "|"), row[0])

    return _ROW.sub(unescape, _LINK.sub(lead, DIAGRAM.sub(draw, text)))


def folder_page(folder: str, title: str) -> str:
    """Return the page that lists the pages of a folder."""
    pages = sorted((ROOT / folder).glob("*.md"))
    titles = [page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for page in pages]
    entries = [f"- [{name}]({page.name})" for page, name in zip(pages, titles, strict=True)]
    return "\n".join([f"# {title}", "", *entries, ""])


def stage(folder: Path = STAGED) -> None:
    """Write the pages, and the files that they show, into a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    pages = {
        file.relative_to(ROOT): site_page(file, file.read_text(encoding="utf-8"))
        for pattern in PAGES
        for file in sorted(ROOT.glob(pattern))
    }
    for file in sorted(NOTEBOOKS.glob("*.ipynb")):
        pages[file.relative_to(ROOT).with_suffix(".md")] = site_page(
            file, notebook_page(file, (folder / file.relative_to(ROOT)).parent)
        )
    pages |= {Path(name) / "index.md": folder_page(name, title) for name, title in FOLDERS.items()}
    for name, text in pages.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    shown = (file for pattern in FILES for file in ROOT.glob(pattern) if file.is_file())
    for file in shown:
        copy = folder / file.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)


if __name__ == "__main__":
    try:
        stage()
    except FileNotFoundError as error:
        sys.exit(str(error))
