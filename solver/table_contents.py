"""What the tables hold that this program builds: they come out the same on every computer.

A file of other content is not used, however sound its checksums are: compiled code follows tables
without looking whether they lead outside. `tests/solver/test_table_contents.py` builds them all,
but for the macros, a file of which is named by what it is made from.
"""

from collections.abc import Mapping
from types import MappingProxyType

CONTENTS: Mapping[str, str] = MappingProxyType(
    {
        "stages-v2": "c2378dd529e47f52",
        "turns-v2": "57e88024a9fb8f4e",
        "pocket-v1": "b7a9f8628cf6f594",
        "phi1-v3": "933bc5666fe61ccf",
        "centres-v1": "b1abfca1a3a2f7aa",
        "two-phase-v6": "ef09f83478c9fa44",
        "two-phase-lean-v2": "71c4aa4ccdb312bf",
        "htm-five-v9": "f4ecfe4e7dacfb63",
        "qtm-v9": "75c50f2ecb1a5405",
        "qtm-five-v8": "aa94cfe8de5e6357",
        "axial-v8": "01775e44e8c3edf1",
        "axial-five-v8": "e1edacea5f7e1067",
        "axial-qtm-v8": "0c109252e46bf441",
        "axial-qtm-five-v8": "9c6d2e48dc0db320",
    }
)
"""`table_files.content_digest` by the name and version of the table set."""
