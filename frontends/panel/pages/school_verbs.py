"""The school's verbs, each run as a program of its own.

The panel imports nothing of the school: it asks as a person at a terminal would. A program of its
own, with a low priority, delays neither turns nor STOP, and can be ended.
"""

import asyncio
import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thistlebot.exit_codes import ExitCode

LONGEST_S = 90.0
"""Time after which a verb is ended."""
_NICE = 10


@dataclass(frozen=True, slots=True)
class VerbResult:
    """What a verb answered.

    Attributes:
        text: Its output.
        error: Its message, if it failed; empty if not.
        film: The page that it wrote, as HTML; empty if there is none.
    """

    text: str
    error: str = ""
    film: str = ""

    @property
    def records(self) -> list[dict[str, Any]]:
        """The records of a verb that was asked for JSON."""
        return [json.loads(line) for line in self.text.splitlines()]


class SchoolVerbs:
    """Runs verbs, one at a time: the others wait.

    Args:
        longest_s: Time after which a verb is ended.
    """

    def __init__(self, longest_s: float = LONGEST_S) -> None:
        self._longest_s = longest_s
        self._free, self._telling = asyncio.Lock(), asyncio.Lock()
        self._told: dict[tuple[str, str, str], VerbResult] = {}

    async def ask(
        self, verb: str, options: Sequence[str], value: str = "", *, film: bool = False
    ) -> VerbResult:
        """Run a verb.

        Args:
            verb: Its name.
            options: Its options. Whatever a visitor typed has to stand behind ``=``.
            value: Its argument, as the visitor typed it; it is never read as an option.
            film: Let it draw what turns.

        Raises:
            TimeoutError: It took too long, and was ended.
        """
        async with self._free:
            with tempfile.TemporaryDirectory(prefix="thistlebot-school-") as folder:
                page = Path(folder, "film.html")
                drawn = [f"--picture={page}"] if film else []
                words = [verb, *options, *drawn, *(["--", value] if value else [])]
                code, text, error = await self._run(words)
                shown = page.read_text(encoding="utf-8") if page.exists() else ""
        failed = code not in {ExitCode.DONE, ExitCode.NOT_VERIFIED}  # the latter: a wrong answer
        return VerbResult(text, _message(error) if failed else "", shown)

    async def tell(self, verb: str, language: str, value: str = "") -> VerbResult:
        """Run a verb that tells what there is; the next visitor gets the same answer at once.

        Args:
            verb: Its name.
            language: The option that names the language.
            value: Its argument, as `ask` takes it.

        Raises:
            TimeoutError: It took too long, and was ended.
        """
        asked = verb, language, value
        async with self._telling:
            result = self._told.get(asked) or await self.ask(verb, ["--json", language], value)
            if not result.error:
                self._told[asked] = result
        return result

    async def _run(self, words: Sequence[str]) -> tuple[int, str, str]:
        nice = ["nice", "-n", str(_NICE)] if shutil.which("nice") else []
        process = await asyncio.create_subprocess_exec(
            *(*nice, sys.executable, "-m", "thistlebot", *words),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            said = await asyncio.wait_for(process.communicate(), self._longest_s)
        finally:  # also when the page is closed meanwhile
            if process.returncode is None:
                process.kill()
        text, error = (each.decode("utf-8", "replace") for each in said)
        return process.returncode or 0, text, error


def _message(error: str) -> str:
    """Return the message of a verb without the program's name."""
    return " ".join(error.strip().removeprefix("thistlebot: ").split())
