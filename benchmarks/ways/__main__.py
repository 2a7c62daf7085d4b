"""Ways from random states to the solved one: run `python -m benchmarks.ways [NAME …]`.

Each way is played in space after the scramble (`benchmarks/ways/space.py`) and has to bring every
sticker home. Prints a row for each puzzle: how many states, the mean and the longest way, how many
of them are proven shortest, processor time of a way after the first one (which builds or loads the
tables), and the peak of the process's memory. With --pairs the way leads to another random state.
"""

import argparse
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from benchmarks.ways.row import row_of

NAMES = (
    *("supercube", "phi1", "phi2", "phi3", "4x4x4", "megaminx", "5x5x5", "7x7x7"),
    "3x3x3x3",
)


def main() -> None:
    """Measure the puzzles one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--states", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=100, help="random turns of a scramble")
    parser.add_argument("--memory", type=int, metavar="MB")
    parser.add_argument("--pairs", action="store_true", help="between two random states")
    chosen = parser.parse_args()
    print("| puzzle | states | mean | longest | proven | CPU, mean | CPU, most | memory |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for name in chosen.names:
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as alone:
            print(alone.submit(row_of, name, chosen).result(), flush=True)


if __name__ == "__main__":
    main()
