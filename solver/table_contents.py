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
        "turns-v1": "04ebe751ce1e7db2",
        "pocket-v1": "b7a9f8628cf6f594",
        "phi1-v3": "933bc5666fe61ccf",
        "centres-v1": "b1abfca1a3a2f7aa",
        "two-phase-v5": "d2f7c5f75ccd74e0",
        "two-phase-lean-v1": "05b2a26aa377d02c",
        "htm-five-v8": "40c31e2b93d0ad75",
        "qtm-v7": "3a10bfcfdcb85020",
        "qtm-five-v7": "e765f753c065b1f6",
        "axial-v7": "d3a8c269438feccd",
        "axial-five-v7": "c60e736795bab5d5",
        "axial-qtm-v7": "e91d537300d54da9",
        "axial-qtm-five-v7": "48d0f72872c19786",
    }
)
"""`table_files.content_digest` by the name and version of the table set."""
