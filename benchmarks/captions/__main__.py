"""Every caption of `learn` held against the cube: run `python -m benchmarks.captions`.

Random cubes are told by every method, as `thistlebot learn` tells them, and each sentence is held
against 54 stickers that know nothing of the program's cube (`check`). The methods that
reach near cubes alone are given cubes a few turns of faces and slices away. Ends with 1 when a
sentence was false.
"""

import argparse
import sys
import time
from collections import Counter

from benchmarks.captions.lessons import NEAR, cubes, false_sentences
from solver.tables import TableStore
from teaching.methods.catalogue import ENTRIES, load_method
from thistlebot.config import Folders


def main() -> None:
    """Tell, check and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    # Those that solve any cube, and those that get near ones.
    told = [entry.name for entry in ENTRIES if entry.any_state or entry.name in NEAR]
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--method", action="append", choices=told)
    chosen = parser.parse_args()
    store, wrong = TableStore(Folders.of_platform().cache / "tables"), 0
    for name in chosen.method or told:
        method, steps, false = load_method(name, store), 0, Counter[str]()
        started, example = time.process_time(), ""
        for state in cubes(name, chosen.states, chosen.seed):
            count, mistakes = false_sentences(method, state)
            steps += count
            false.update({mistake.sentence for mistake in mistakes})
            if mistakes and not example:
                example = f"; first on {state.to_facelets().text}, step {mistakes[0].step}"
        wrong += false.total()
        spent = time.process_time() - started
        print(
            f"{name:26} {chosen.states} cubes, {steps} steps, {false.total()} false captions"
            f"{example}, {spent:.0f} s",
            flush=True,
        )
        for sentence, times in false.most_common(5):
            print(f"    {times} × {sentence}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
