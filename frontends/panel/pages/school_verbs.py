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
from thistlebot.words.words import Words

LONGEST_S = 60.0
"""Time after which a verb is ended."""
AT_ONCE, MOST = 2, 60
"""Number of verbs that run at the same time, and of those that run or wait: two for each pupil."""
MOST_TYPED = 2000
"""Maximum length of a text that somebody typed."""
_NICE = 10
_MOST_BYTES = 1_000_000_000
_PROGRAM = f"""
try:
    import resource
    resource.setrlimit(resource.RLIMIT_DATA, ({_MOST_BYTES}, {_MOST_BYTES}))
except (ImportError, ValueError, OSError):  # not on Windows
    pass
from thistlebot.__main__ import main
main()
"""


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
    """Runs verbs, a few at a time: the others wait."""

    def __init__(self, longest_s: float = LONGEST_S) -> None:
        self._longest_s = longest_s
        self._free, self._telling = asyncio.Semaphore(AT_ONCE), asyncio.Lock()
        self._asked = 0
        self._told: dict[tuple[str, str, str], VerbResult] = {}

    async def ask(
        self,
        words: Words,
        verb: str,
        options: Sequence[str],
        value: str = "",
        *,
        film: bool = False,
    ) -> VerbResult:
        """Run a verb; what is too long, too large, or one too many, is refused in one line.

        Args:
            words: The texts of the page.
            verb: Its name.
            options: Its options. Whatever a visitor typed has to stand behind ``=``.
            value: Its argument, as the visitor typed it; it is never read as an option.
            film: Let it draw what turns.
        """
        if any(len(each) > MOST_TYPED or "\0" in each for each in (*options, value)):
            return VerbResult("", words("school.too_large"))
        if self._asked >= MOST:
            return VerbResult("", words("school.too_many"))
        self._asked += 1
        try:
            async with self._free:
                return await self._answer(words, ["school", verb, *options], value, film=film)
        except TimeoutError:
            return VerbResult("", words("school.too_long"))
        finally:
            self._asked -= 1

    async def _answer(
        self, words: Words, asked: Sequence[str], value: str, *, film: bool
    ) -> VerbResult:
        with tempfile.TemporaryDirectory(prefix="thistlebot-school-") as folder:
            page = Path(folder, "film.html")
            drawn = [f"--picture={page}"] if film else []
            code, text, error = await self._run([*asked, *drawn, *(["--", value] if value else [])])
            shown = page.read_text(encoding="utf-8") if page.exists() else ""
        if code in {ExitCode.DONE, ExitCode.NOT_VERIFIED}:  # the latter: a wrong answer
            return VerbResult(text, "", shown)
        said = code in {ExitCode.USAGE, ExitCode.MISREAD, ExitCode.UNSOLVABLE}
        return VerbResult(text, _message(error) if said else words("school.too_large"), shown)

    async def tell(self, words: Words, verb: str, value: str = "") -> VerbResult:
        """Run a verb that tells what there is; the next visitor gets the same answer at once."""
        asked = verb, words.language, value
        async with self._telling:
            options = ["--json", f"--language={words.language}"]
            result = self._told.get(asked) or await self.ask(words, verb, options, value)
            if not result.error:
                self._told[asked] = result
        return result

    async def _run(self, words: Sequence[str]) -> tuple[int, str, str]:
        nice = ["nice", "-n", str(_NICE)] if shutil.which("nice") else []
        process = await asyncio.create_subprocess_exec(
            *(*nice, sys.executable, "-c", _PROGRAM, *words),
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
