"""The campaign from the command line: plays until enough faults were effective."""

import argparse
import gc
import itertools
import json
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.faults.campaign import Campaign
from benchmarks.faults.case import SMALL_DISKS
from benchmarks.faults.kinds import KINDS
from benchmarks.faults.report import record, table, total
from benchmarks.faults.small_disk import can_mount

_NUMBERS = 1_000_003
"""Cases of one seed are so far from those of the next."""


def main() -> int:
    """Run from the command line; 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description="Strike real programs with faults.")
    parser.add_argument("--faults", type=int, default=1000, help="effective faults to play")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--case", type=int, help="begin with the case of this number")
    parser.add_argument("--kinds", default="", help="only kinds whose name has this in it")
    parser.add_argument("--shapes", default="", help="only programs whose shape has this in it")
    parser.add_argument("--firmware", type=float, default=0.4, help="share on the real firmware")
    parser.add_argument("--json", action="store_true", help="print a record, not a table")
    chosen = parser.parse_args()
    kinds = [kind for kind in KINDS if chosen.kinds in kind]
    with tempfile.TemporaryDirectory() as probe:
        if not can_mount(Path(probe)):
            print("no disk can be mounted here: none fills up", file=sys.stderr)
            kinds = [kind for kind in kinds if kind not in SMALL_DISKS]
    first = chosen.seed * _NUMBERS if chosen.case is None else chosen.case
    numbers = itertools.count(first)
    began_s = time.monotonic()
    gc.freeze()  # forks share what is loaded
    with (
        tempfile.TemporaryDirectory(prefix="faults-") as folder,
        Campaign(Path(folder), chosen.firmware, chosen.shapes) as campaign,
    ):
        for kind, number in zip(itertools.cycle(kinds), numbers, strict=False):
            if not campaign.play(kind, number):
                print(f"{kind}, case {number}:\n{campaign.told}", file=sys.stderr)
            struck = total(campaign.rows).struck
            print(f"{struck} of {chosen.faults}", end="\r", file=sys.stderr)
            if struck >= chosen.faults:
                break
    elapsed_s = time.monotonic() - began_s
    rows = {kind: campaign.rows[kind] for kind in kinds}
    if chosen.json:
        print(json.dumps(record(rows, chosen.seed) | {"elapsed_s": round(elapsed_s, 1)}))
    else:
        print(table(rows))
        print(f"seed {chosen.seed}, {elapsed_s:.0f} s")
    return 1 if total(rows).wrong else 0


if __name__ == "__main__":
    sys.exit(main())
