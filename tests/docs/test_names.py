"""One meaning for each public name."""

import ast
from collections import defaultdict

from prepared import ROOT

HOUSES = "benchmarks calibration cube documents puzzles robot solver teaching thistlebot vision"
COMMANDS = {"commands", "calibrate_commands"}
"""What a front end asks for has the name of its verb, and is used with the name of its module."""


def test_no_class_has_the_name_of_another() -> None:
    places = defaultdict(list)
    for house in HOUSES.split():
        for file in (ROOT / house).rglob("*.py"):
            if file.stem not in COMMANDS:
                for node in ast.parse(file.read_bytes()).body:
                    if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                        places[node.name].append(str(file.relative_to(ROOT)))
    assert not {name: files for name, files in places.items() if len(files) > 1}
