"""Output that handles write errors, such as those of a closed pipe or a full disk.

While nothing can move, the first failed write ends the program. Once a machine is open, output that
cannot be written is dropped, so that no motor stops because of it.
"""

import io
import sys
import textwrap
from typing import TYPE_CHECKING, TextIO

from thistlebot.errors import OutputError, ReaderGoneError

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


_NARROWEST = 40
CONTROLS = (
    *(*range(9), *range(11, 32), *range(127, 160), 0x061C, 0x200E, 0x200F),
    *(*range(0x2028, 0x202F), *range(0x2066, 0x206A)),
)
"""Characters that control a terminal or the direction of text, except tab and newline."""
_REPLACED = dict.fromkeys(CONTROLS, "\N{REPLACEMENT CHARACTER}")


def printable(text: str) -> str:
    """Replace characters that control a terminal; the text may come from a stranger's file."""
    return text.translate(_REPLACED)


_LABEL = 10
"""Width of the label at the beginning of a line of results."""


def wrapped(text: str, width: int) -> str:
    """Break lines between words; a line with a label continues below its text.

    Args:
        text: The text; its lines stay apart.
        width: Characters in a line of the terminal; longer words are not broken.
    """
    lines = []
    for line in text.split("\n"):
        labelled = line[_LABEL - 1 : _LABEL] == " " and len(line[:_LABEL].split()) == 1
        indent = " " * (_LABEL if labelled else len(line) - len(line.lstrip()))
        lines += textwrap.wrap(
            line,
            max(width, _NARROWEST),
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return "\n".join(lines)


class Output(io.FileIO):
    """An open file descriptor that is written until the first failure; the rest is dropped.

    Args:
        descriptor: Number of a file that stays open after this is closed.
        dropping: Do not raise an error on failure.

    Attributes:
        dropping: Whether failures raise no error.
        failure: The first failure.
    """

    def __init__(self, descriptor: int, *, dropping: bool = False) -> None:
        super().__init__(descriptor, "wb", closefd=False)
        self.dropping = dropping
        self.failure: OSError | None = None

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write as much as possible.

        Raises:
            ReaderGoneError: The program that read the output has ended.
            OutputError: It cannot be written for another reason.
        """
        if self.failure is None:
            try:
                return super().write(data)
            except OSError as error:
                self.failure = error
                if not self.dropping:
                    self.require()
        return memoryview(data).nbytes

    def require(self) -> None:
        """Check that everything was written.

        Raises:
            ReaderGoneError: The program that read the output has ended.
            OutputError: It could not be written for another reason.
        """
        if isinstance(self.failure, BrokenPipeError):
            raise ReaderGoneError("the reader of this program's output has closed it")
        if self.failure is not None:
            raise OutputError(
                f"cannot write the output ({self.failure.strerror}): free some space, or "
                "write it elsewhere"
            )


def guard_output() -> None:
    """Print through an `Output` from now on; messages that cannot be written are dropped."""
    sys.stdout = _guarded(sys.stdout)
    sys.stderr = _guarded(sys.stderr, dropping=True)


def keep_going() -> None:
    """Drop output that cannot be written from now on: something may move."""
    if (output := _output()) is not None:
        output.dropping = True


def require_printed() -> None:
    """Check, at the end, that all output was written.

    A reader that stops early has read all that it needed; that is not a failure.

    Raises:
        OutputError: Something was dropped.
    """
    if (output := _output()) is not None and not isinstance(output.failure, BrokenPipeError):
        output.require()


def _output() -> Output | None:
    raw = getattr(getattr(sys.stdout, "buffer", None), "raw", None)
    return raw if isinstance(raw, Output) else None


def _guarded(stream: TextIO, *, dropping: bool = False) -> TextIO:
    """Return the stream through an `Output`, if it writes to a plain file descriptor."""
    buffer = getattr(stream, "buffer", None)
    if not isinstance(getattr(buffer, "raw", buffer), io.FileIO):
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(Output(stream.fileno(), dropping=dropping)),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=bool(stream.line_buffering),
        write_through=getattr(stream, "write_through", False),
    )
