"""Another program's machine: a client for the HTTP interface of `thistlebot serve`.

docs/http.md shows it at work.
"""

import http.client
import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

import msgspec

from thistlebot.errors import ComputerError, RefusedError

PATIENCE_S = 15.0
"""Time limit for an answer, or for the next message of a stream."""
OPENING_S = 60.0
"""Time limit for a machine to be opened, and its tables to be loaded or built."""
_AGAIN_S = 0.2


class RemoteAttention(msgspec.Struct, frozen=True):
    """Why the machine needs a person.

    Attributes:
        kind: The kind, such as ``reread`` or ``stopped``.
        text: The whole reason, and what to do.
    """

    kind: str
    text: str = ""


class RemoteCube(msgspec.Struct, frozen=True):
    """The cube in the machine.

    Attributes:
        facelets: 54 letters in the order URFDLB; None if unknown.
        sure: Whether a camera saw this state, or the machine turned the cube from a state that a
            camera saw.
    """

    facelets: str | None = None
    sure: bool = False


class RemoteView(msgspec.Struct, frozen=True):
    """The part of the panel's view that programs usually need.

    Attributes:
        run: Number of the last run since the panel was started; the journal has other numbers.
        job: What the machine is doing; empty when it is idle.
        phase: Phase of the run: scan, decode, plan, execute, verify, done, stopped or failed; idle
            before a run gets that far.
        cube: The cube in the machine.
        verified: Whether the camera saw the target at the end; None before.
        times: Seconds of each phase of the last solve.
        attention: Why the machine needs a person; None if it does not.
    """

    run: int = 0
    job: str = ""
    phase: str = ""
    cube: RemoteCube = RemoteCube()
    verified: bool | None = None
    times: dict[str, float] = {}
    attention: RemoteAttention | None = None


class Client:
    """The machine of a panel on this computer or another one.

    Each method raises `RefusedError` if the panel refuses the request, and `ComputerError` if it
    does not answer.

    Args:
        url: Address of the panel; a link with ``?token=`` includes the token.
        token: Token of a device; none is needed on the same computer.

    Attributes:
        token: The token, empty without one.
    """

    def __init__(self, url: str = "http://127.0.0.1:8060", token: str = "") -> None:
        address, _, given = url.partition("?token=")
        self._root = f"{address.rstrip('/')}/api/v1"
        self.token = token or given
        self._headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        self._opener = build_opener(ProxyHandler({}))

    def view(self) -> RemoteView:
        """Return what the machine is doing now."""
        return msgspec.convert(self.state()["view"], RemoteView)

    def state(self) -> dict[str, Any]:
        """Return the whole state: ``now_s`` and the panel's ``view``."""
        return dict(json.loads(self._ask("/state")))

    def solve(self, target: str = "", *, order: str = "", dry_run: bool = False) -> int:
        """Start a solve.

        Args:
            target: Name of a pattern, or 54 letters; the solved cube by default.
            order: Order of the stickers in the letters, such as ``ULFRBD``; found by default.
            dry_run: Read and plan only; nothing moves.

        Returns:
            The number of the run, for `wait`.
        """
        return self.command("solve", target=target, order=order, dry_run=dry_run) or 0

    def scramble(self) -> int:
        """Start a random scramble, and return the number of the run."""
        return self.command("scramble") or 0

    def turn(self, moves: str) -> int:
        """Start to make given moves, such as ``R U2``, and return the number of the run."""
        return self.command("turn", moves=moves) or 0

    def command(self, name: str, **fields: Any) -> int | None:
        """Send any command of the panel; while its machine is being opened, wait for it.

        Args:
            name: Its name, such as ``look``.
            fields: Its fields.

        Returns:
            The number of the run that it starts; None if it starts none.
        """
        body = json.dumps({"command": name, **fields}).encode()
        until_s = time.monotonic() + OPENING_S
        while True:
            try:
                return json.loads(self._ask("/commands", body))["run"]  # type: ignore[no-any-return]
            except RefusedError as refused:
                opening = refused.kind == "busy" and not self.view().job
                if not opening or time.monotonic() > until_s:
                    raise
            time.sleep(_AGAIN_S)

    def stop(self) -> None:
        """Stop at the next detent, whoever ordered the job."""
        self._ask("/stop", b"")

    def wait(self, run: int) -> RemoteView:
        """Wait until a run has ended.

        Args:
            run: Its number.
        """
        for message in self.events():
            if message["type"] == "view":
                view = msgspec.convert(message["view"], RemoteView)
                if view.run > run or (view.run == run and not view.job):
                    return view
        raise ComputerError("the panel was closed during the run")

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield what happens until the panel is closed, beginning with the present view.

        Each message has a ``type``: ``event`` or ``view``, with the value under the same key, or
        ``lost`` if events were dropped; docs/http.md describes them.
        """
        with self._opened("/events") as stream:
            try:
                for line in stream:
                    if line.startswith(b"data: "):
                        yield json.loads(line[6:])
            except (OSError, http.client.HTTPException) as error:
                raise self._lost(error) from None

    def runs(self, limit: int = 50, *, virtual: bool = False) -> list[dict[str, Any]]:
        """Return runs of the journal, the newest first, each with its ``number`` and ``row``.

        Args:
            limit: How many at most.
            virtual: Return runs of virtual machines instead of real ones.
        """
        query = urlencode({"limit": limit, "virtual": str(virtual).lower()})
        return list(json.loads(self._ask(f"/runs?{query}")))

    def run(self, name: int | str = "last") -> dict[str, Any]:
        """Return one run of the journal, with its events.

        Args:
            name: Its number in the journal, the first characters of its uid, or ``last``. The
                numbers of `solve` and `wait` are others.
        """
        return dict(json.loads(self._ask(f"/runs/{_quoted(name)}")))

    def bundle(self, name: int | str = "last") -> bytes:
        """Return the bundle of a run, a ZIP file that `thistlebot history replay` reads."""
        return self._ask(f"/runs/{_quoted(name)}/bundle.zip")

    def picture(self, name: int | str, number: int) -> bytes:
        """Return a picture of a run, as JPEG."""
        return self._ask(f"/runs/{_quoted(name)}/pictures/{number}.jpg")

    def camera(self, number: int = 0) -> bytes:
        """Take a picture with a camera of the machine, as JPEG."""
        return self._ask(f"/cameras/{number}.jpg")

    def _ask(self, path: str, body: bytes | None = None) -> bytes:
        with self._opened(path, body) as answer:
            try:
                return bytes(answer.read())
            except (OSError, http.client.HTTPException) as error:
                raise self._lost(error) from None

    def _opened(self, path: str, body: bytes | None = None) -> Any:
        return self._open(self._root + path, body)

    def _open(self, url: str, body: bytes | None = None) -> Any:
        headers = self._headers | {"Content-Type": "application/json"}
        try:
            request = Request(url, body, headers)  # noqa: S310 - a person's address
            return self._opener.open(request, timeout=PATIENCE_S)
        except HTTPError as refused:
            raise _refusal(refused) from None
        except (URLError, OSError, http.client.HTTPException) as error:
            raise self._lost(error) from None
        except ValueError as error:
            raise RefusedError("usage", f"{self._root} is not an address: {error}") from None

    def _lost(self, error: Exception) -> ComputerError:
        return ComputerError(
            f"no answer from {self._root} ({error}): start the panel there with `thistlebot serve`"
        )


def _quoted(name: int | str) -> str:
    return quote(str(name), safe="")


def _refusal(refused: HTTPError) -> RefusedError:
    with refused:
        said = refused.read()
    try:
        told = json.loads(said)
        return RefusedError(told["kind"], told["text"])
    except (ValueError, KeyError, TypeError):
        return RefusedError("scope" if refused.code in {401, 403} else "usage", _text(said))


def _text(said: bytes) -> str:
    return said.decode(errors="replace").strip()
