"""The HTTP interface for programs: its operations, and their OpenAPI description."""

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec

from frontends.control.commands import Command
from frontends.control.view_model.notices import Told
from frontends.control.view_model.view import ViewModel
from thistlebot.events import Event
from thistlebot.installed import version_of
from thistlebot.journal.rows import RunRow

PREFIX = "/api/v1"
MOST_RUNS = 1000


class PanelState(msgspec.Struct, frozen=True):
    """The machine now.

    Attributes:
        now_s: The server's clock, seconds.
        view: Everything that the panel shows.
    """

    now_s: float
    view: ViewModel


class Accepted(msgspec.Struct, frozen=True):
    """A command was accepted.

    Attributes:
        run: Number of the run that it starts, as in `view.run` (the journal has other numbers);
            None if it starts none.
    """

    run: int | None


class Refusal(msgspec.Struct, frozen=True):
    """A request was refused.

    Attributes:
        kind: ``expired``, ``run``, ``busy``, ``idle``, ``scope``, ``usage``,
            ``missing`` or ``journal``.
        text: What happened, and what to do.
    """

    kind: str
    text: str


class StopAnswer(msgspec.Struct, frozen=True):
    """The machine stops at the next detent."""

    stopping: bool = True


class ListedRun(msgspec.Struct, frozen=True):
    """A run of the journal.

    Attributes:
        number: Its number in the journal.
        row: What is known of it.
    """

    number: int
    row: RunRow


class TimedEvent(msgspec.Struct, frozen=True):
    """An event of a run.

    Attributes:
        time_s: Seconds since the run began.
        event: The event.
    """

    time_s: float
    event: Event


class RunDetail(msgspec.Struct, frozen=True):
    """Everything that the journal has about a run, except its pictures.

    Attributes:
        number: Its number in the journal.
        row: What is known of it.
        events: Its events; empty when they were deleted to free space.
        pictures: Numbers of the pictures.
    """

    number: int
    row: RunRow
    events: tuple[TimedEvent, ...]
    pictures: tuple[int, ...]


class StreamMessage(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message of the stream of events; its data is this value as JSON.

    Attributes:
        type: ``event``, ``view``, or ``lost`` when events were dropped.
        seq: Its number.
        event: What happened.
        view: Everything that the panel shows afterwards.
    """

    type: str
    seq: int = 0
    event: Told | None = None
    view: ViewModel | None = None


class CommandQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Guards of a command.

    Attributes:
        sent_s: When it was sent, by the server's clock; a late command is refused.
        run: Number of the last run that the sender knows; refused if there is a newer one.
    """

    sent_s: float | None = None
    run: int | None = None


class RunsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which runs to list.

    Attributes:
        limit: How many, the newest first.
        virtual: Those of virtual machines, instead of those of real ones.
    """

    limit: Annotated[int, msgspec.Meta(ge=1, le=MOST_RUNS)] = 50
    virtual: bool = False


class SolvesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The solves to return.

    Attributes:
        virtual: Those of virtual machines, instead of those of real ones.
    """

    virtual: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One kind of request.

    Attributes:
        name: Name of the method that serves it.
        path: Below the prefix.
        about: What it does, in a sentence.
        answer: Type of the JSON answer, or the media type of another one.
        method: HTTP's.
        status: Status of the answer.
        query: Type of the query's parameters.
        body: Type of the JSON in the request.
        refused: Statuses of refusals.
    """

    name: str
    path: str
    about: str
    answer: Any
    method: str = "GET"
    status: int = 200
    query: type[msgspec.Struct] | None = None
    body: Any = None
    refused: tuple[int, ...] = ()


OPERATIONS = (
    Operation("description", "/openapi.json", "Return this description", dict[str, Any]),
    Operation("state", "/state", "Return the state of the machine", PanelState),
    Operation("events", "/events", "Follow events and views as they happen", "text/event-stream"),
    Operation(
        "command",
        "/commands",
        "Give a command, such as solve, scramble or turn",
        Accepted,
        method="POST",
        status=202,
        query=CommandQuery,
        body=Command,
        refused=(400, 403, 409, 413),
    ),
    Operation("stop", "/stop", "Stop at the next detent", StopAnswer, method="POST", status=202),
    Operation(
        "runs", "/runs", "List runs", tuple[ListedRun, ...], query=RunsQuery, refused=(400, 503)
    ),
    Operation(
        "solves",
        "/runs.csv",
        "Return the solves in csTimer's format",
        "text/csv",
        query=SolvesQuery,
        refused=(400, 503),
    ),
    Operation("run", "/runs/{run}", "Return one run", RunDetail, refused=(404, 503)),
    Operation(
        "bundle",
        "/runs/{run}/bundle.zip",
        "Return the bundle of a run",
        "application/zip",
        refused=(404, 503),
    ),
    Operation(
        "run_picture",
        "/runs/{run}/pictures/{picture}.jpg",
        "Return a picture of a run",
        "image/jpeg",
        refused=(404, 503),
    ),
    Operation(
        "camera", "/cameras/{camera}.jpg", "Take a picture now", "image/jpeg", refused=(404,)
    ),
)
"""All operations; docs/http.md shows them at work."""

_RUN = "Number of the run in the journal, the first characters of its uid, or last"
_RUN_PATTERN = "^([0-9]{1,9}|[0-9a-f]{4,16}|last)$"
_PATH_PARAMETERS = {
    "run": {"schema": {"type": "string", "pattern": _RUN_PATTERN}, "description": _RUN},
    "picture": {"schema": {"type": "integer", "minimum": 0}, "description": "Its number"},
    "camera": {"schema": {"type": "integer", "minimum": 0}, "description": "Number of the camera"},
}
_REFUSALS = {
    400: "The request is wrong",
    401: "The token is missing or wrong",
    403: "The token does not allow this, or the page comes from another origin",
    404: "Nothing was found under this name or number",
    409: "The command is refused: the machine is busy, or it came too late",
    413: "The request is too long",
    503: "The journal cannot be read",
}


def openapi(*, secured: bool) -> dict[str, Any]:
    """Return the OpenAPI description of the interface, made from the types above."""
    types = [each.answer for each in OPERATIONS if not isinstance(each.answer, str)]
    types += [each.body for each in OPERATIONS if each.body is not None]
    schemas, components = msgspec.json.schema_components(
        (*types, Refusal, StreamMessage), ref_template="#/components/schemas/{name}"
    )
    known = dict(zip(types, schemas, strict=False))
    paths: dict[str, dict[str, Any]] = {}
    for each in OPERATIONS:
        paths.setdefault(each.path, {})[each.method.lower()] = _described(each, known)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Thistlebot",
            "version": version_of("thistlebot"),
            "description": "Controls a cube-solving machine. A device's token decides what it may "
            "do: watch, operate or calibrate.",
        },
        "servers": [{"url": PREFIX}],
        "security": [{"token": []}] if secured else [],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _described(each: Operation, known: dict[Any, Any]) -> dict[str, Any]:
    if isinstance(each.answer, str):
        media, schema = each.answer, {"type": "string"}
        if media == "text/event-stream":
            schema["description"] = "The data of each message is a StreamMessage"
        else:
            schema["contentMediaType"] = media
    else:
        media, schema = "application/json", known[each.answer]
    answers: dict[str, Any] = {
        str(each.status): {"description": each.about, "content": {media: {"schema": schema}}}
    }
    refusal = {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}
    for status in sorted({401, 403, *each.refused}):
        content = {"text/plain": {"schema": {"type": "string"}}}
        if status in each.refused:
            content |= refusal
        answers[str(status)] = {"description": _REFUSALS[status], "content": content}
    described: dict[str, Any] = {"operationId": each.name, "summary": each.about}
    described["parameters"] = [
        {"name": name, "in": "path", "required": True, **told}
        for name, told in _PATH_PARAMETERS.items()
        if f"{{{name}}}" in each.path
    ] + _query_parameters(each.query)
    if each.body is not None:
        content = {"application/json": {"schema": known[each.body]}}
        described["requestBody"] = {"required": True, "content": content}
    return described | {"responses": answers}


def _query_parameters(query: type[msgspec.Struct] | None) -> list[dict[str, Any]]:
    if query is None:
        return []
    _, components = msgspec.json.schema_components((query,))
    told = components[query.__name__]
    about = dict(
        line.strip().split(": ", 1)
        for line in (query.__doc__ or "").partition("Attributes:")[2].splitlines()
        if ": " in line
    )
    return [
        {"name": name, "in": "query", "schema": schema, "description": about[name]}
        for name, schema in told["properties"].items()
    ]
