"""``python -m thistlebot`` and the script ``thistlebot``."""

import sys


def main() -> None:
    """Run the program; also while it is still loading, Ctrl-C ends it with code 6."""
    try:
        from thistlebot.cli.program import run_program  # noqa: PLC0415 - loading takes a moment

        run_program()
    except KeyboardInterrupt:
        sys.stderr.write("thistlebot: stopped\n")
        sys.exit(6)


if __name__ == "__main__":
    main()
