"""``python -m thistlebot`` and the script ``thistlebot``."""

from thistlebot.cli.program import main

if __name__ == "__main__":
    main()
