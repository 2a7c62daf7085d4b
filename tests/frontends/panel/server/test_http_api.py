"""What other programs rely on: the HTTP interface, its description, and the client for Python."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.schemas import APIOperation

import thistlebot
from frontends.panel.server.api_description import OPERATIONS, PREFIX
from panel_desk import PanelProcess
from prepared import ROOT
from thistlebot.errors import ComputerError, RefusedError


@pytest.fixture
def client(panel: PanelProcess) -> thistlebot.Client:
    panel.until(lambda view: not view["job"])
    return thistlebot.Client(panel.url)


def test_a_program_starts_runs_follows_them_and_reads_the_journal(
    client: thistlebot.Client, panel: PanelProcess
) -> None:
    scrambled = client.wait(client.scramble()).cube.facelets
    assert scrambled is not None
    run = client.solve()
    shown = client.wait(run)
    assert (shown.run, shown.verified, shown.attention) == (run, True, None)

    def solves() -> list[dict[str, Any]]:  # not those of earlier tests, which may appear late
        listed = client.runs(virtual=True)
        return [each for each in listed if each["row"]["facelets"] == scrambled]

    panel.until(lambda _: bool(solves()))  # the journal is written in the background
    numbers = [each["number"] for each in client.runs(virtual=True)]
    assert numbers == sorted(numbers, reverse=True)
    (listed,) = solves()
    assert listed["row"]["outcome"] == "verified"
    kept = client.run(listed["number"])
    assert kept["row"] == listed["row"]
    assert kept["events"][-1]["event"] == {"event": "entered", "phase": "done"}
    assert client.bundle(listed["number"]).startswith(b"PK")
    assert client.picture(listed["number"], kept["pictures"][0]).startswith(b"\xff\xd8")
    assert client.camera().startswith(b"\xff\xd8")


def test_a_busy_machine_says_so_and_stops_for_anybody(
    client: thistlebot.Client, panel: PanelProcess
) -> None:
    panel.wish(hurry=1)
    run = client.turn("R U R' U' F D2 " * 50)
    with pytest.raises(RefusedError) as busy:
        client.solve()
    assert busy.value.kind == "busy"
    client.stop()
    assert client.wait(run).attention.kind == "stopped"


def test_a_command_waits_until_the_machine_is_open(
    client: thistlebot.Client, panel: PanelProcess
) -> None:
    panel.wish(held=True)
    client.command("find_devices")
    panel.until(lambda view: view["panes"]["assistant"]["opening"] and not view["job"])
    with ThreadPoolExecutor() as pool:
        begun = pool.submit(client.turn, "R")
        waits = bool(wait([begun], timeout=0.5).not_done)
        panel.wish(held=False)
        assert (waits, client.wait(begun.result()).attention) == (True, None)


def test_misspelt_late_and_outdated_commands_move_nothing(client: thistlebot.Client) -> None:
    before = client.state()
    kinds = []
    for body, query in (
        ({"command": "solve", "dryrun": True}, {}),
        ({"command": "solve"}, {"sent_s": before["now_s"] - 1}),
        ({"command": "solve"}, {"run": before["view"]["run"] + 1}),
        ({"command": "solve"}, {"runs": 1}),
        ({"command": "solve", "target": "x" * 70_000}, {}),
    ):
        answer = httpx.post(f"{client._root}/commands", json=body, params=query)
        kinds.append((answer.status_code, answer.json()["kind"]))
    assert kinds == [(400, "usage"), (409, "expired"), (409, "run"), (400, "usage"), (413, "usage")]
    assert client.state()["view"] == before["view"]


def test_unknown_paths_of_programs_are_answered_for_programs(panel: PanelProcess) -> None:
    for path in ("api", "api/", "api/v1", "api/v1/", "api/v2/state", "api/v1/x"):
        answer = httpx.get(f"{panel.url}{path}")
        assert (answer.status_code, answer.json()["kind"]) == (404, "missing"), path


def test_tokens_decide_what_a_program_may_do(open_panel: PanelProcess) -> None:
    with pytest.raises(RefusedError):
        thistlebot.Client(open_panel.url).view()
    assert thistlebot.Client(open_panel.link).view().job == ""
    with pytest.raises(ComputerError):
        thistlebot.Client("http://127.0.0.1:9").view()


@pytest.mark.exhaustive
def test_the_panel_keeps_to_its_description_whatever_is_sent(
    open_panel: PanelProcess,
) -> None:
    """Also with wrong values; nothing ends in a 500, and the panel and its machine live on."""
    headers = {"Authorization": f"Bearer {open_panel.token}"}
    address = f"{open_panel.url}{PREFIX[1:]}/openapi.json"
    schema = schemathesis.openapi.from_url(address, headers=headers)
    schema.config.checks.update(excluded_check_names=["ignored_auth"])  # as above
    operations = {each.ok().path: each.ok() for each in schema.get_all_operations()}
    assert {*operations} == {each.path for each in OPERATIONS} - {"/openapi.json"}
    del operations["/events"]  # has no end
    statuses = Counter[int]()

    def send(operation: APIOperation, mode: GenerationMode) -> None:
        @settings(
            max_examples=1000,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=[*HealthCheck],
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def check(case: schemathesis.Case) -> None:
            statuses[case.call_and_validate(headers=headers).status_code] += 1

        check()

    for operation in operations.values():
        send(operation, GenerationMode.POSITIVE)
    send(operations["/commands"], GenerationMode.NEGATIVE)
    assert {200, 202, 400, 404, 409} <= {*statuses} <= {200, 202, 400, 401, 404, 405, 409, 413}
    open_panel.http.post("stop")
    view = open_panel.until(lambda view: not view["job"])
    assert "Traceback" not in open_panel.said()
    assert view["server"]


def test_the_page_names_every_operation_and_its_example_runs(
    client: thistlebot.Client, panel: PanelProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    client.wait(client.scramble())
    page = (ROOT / "docs" / "http.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    exec(example.replace("http://127.0.0.1:8060", panel.url), {})
    assert capsys.readouterr().out.startswith("True ")
    assert [each.path for each in OPERATIONS if f"{each.method} {each.path}`" not in page] == []
