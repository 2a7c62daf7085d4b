"""The notebooks of the documentation: runs them, and makes pages of them.

    python -m benchmarks.site.notebooks            run all; exit code 1 if an output differs
    python -m benchmarks.site.notebooks --write    run all, and write their outputs

The notebooks are committed with their outputs, so that GitHub and the site show them without
running anything. Outputs are therefore what every run gives: no times, nothing that depends on one.
"""

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbconvert import MarkdownExporter

from benchmarks import ROOT

NOTEBOOKS = ROOT / "docs" / "notebooks"
LIMIT_S = 90
"""All notebooks together take less than that on two cores."""
_CELL_S = 60


def notebook_page(file: Path, pictures: Path) -> str:
    """Return a notebook as a Markdown page, and write the pictures of its outputs."""
    prefix = {"unique_key": file.stem, "output_files_dir": f"{file.stem}-files"}
    text, found = MarkdownExporter().from_filename(str(file), resources=prefix)
    for name, content in found["outputs"].items():
        (pictures / name).parent.mkdir(parents=True, exist_ok=True)
        (pictures / name).write_bytes(content)
    return str(text)


def run(file: Path) -> Any:
    """Return a notebook with the outputs of a run in a kernel of its own.

    Raises:
        CellExecutionError: A cell raises an error.
    """
    notebook = nbformat.read(file, as_version=4)
    place = {"metadata": {"path": str(ROOT)}}
    NotebookClient(
        notebook,
        timeout=_CELL_S,
        resources=place,
        extra_arguments=["--log-level=40"],  # errors only
        coalesce_streams=True,
    ).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times of the run
    notebook.metadata["language_info"] = {"name": "python"}  # not the version of this Python
    return notebook


def outputs(notebook: Any) -> list[Any]:
    """Return the outputs of the cells of code."""
    return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]


def main() -> None:
    """Run all notebooks, two at a time."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the outputs")
    write = parser.parse_args().write
    files = sorted(NOTEBOOKS.glob("*.ipynb"))
    began = time.monotonic()
    try:
        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(run, files))
    except CellExecutionError as error:
        sys.exit(str(error))
    took_s = time.monotonic() - began
    sys.stdout.write(f"{len(files)} notebooks in {took_s:.0f} s\n")
    for file, notebook in zip(files, done, strict=True):
        if write:
            nbformat.write(notebook, file)
        elif outputs(notebook) != outputs(nbformat.read(file, as_version=4)):
            sys.exit(
                f"{file.name} gives other outputs: run make notebooks WRITE=yes, and read them"
            )
    if took_s > LIMIT_S:
        sys.exit(f"the notebooks may take {LIMIT_S} s together")


if __name__ == "__main__":
    main()
