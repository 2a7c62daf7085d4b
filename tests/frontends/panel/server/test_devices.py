"""Devices that may use the panel: each by its own token, so far and so long as its owner says."""

from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from frontends.panel.server.access import DEVICES, VISITORS
from frontends.panel.server.devices import PAIRING_S, Devices, DeviceScope
from panel_desk import PanelProcess, Watcher
from run_thistlebot import record, records, thistlebot
from thistlebot.errors import UsageError
from thistlebot.exit_codes import ExitCode


def test_a_code_lets_one_device_in_in_time_and_its_token_ends(tmp_path: Path) -> None:
    now_s = 1e9
    devices = Devices(tmp_path / "devices.json", lambda: now_s)
    code = devices.offer("tablet", DeviceScope.WATCH, days=1.0)
    assert devices.of_token(code) is None
    token = devices.pair(code)
    assert token
    assert devices.pair(code) is None  # once
    assert devices.of_token(token).scope is DeviceScope.WATCH
    assert token not in (tmp_path / "devices.json").read_text()
    late = devices.offer("phone", DeviceScope.OPERATE, days=1.0)
    for moment_s in (now_s + PAIRING_S + 1, now_s - 3600):
        now_s = moment_s
        assert devices.pair(late) is None
    now_s = 1e9 + 86_401
    assert devices.of_token(token) is None
    devices.revoke("tablet")
    assert [each.name for each in devices.known()] == ["phone"]
    for wrong in ("", " ", "x" * 41, "\x1b[2J"):
        with pytest.raises(UsageError):
            devices.offer(wrong, DeviceScope.WATCH, days=1.0)
    (tmp_path / "devices.json").write_text("{")
    with pytest.raises(UsageError, match=r"devices\.json"):
        devices.known()


def test_a_device_does_what_it_may_until_it_is_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = PanelProcess(tmp_path, host="0.0.0.0", camera="nowhere.avi")
    monkeypatch.setenv("THISTLEBOT_STATE_DIR", str(tmp_path / "state"))
    try:
        for scope in DeviceScope:
            told = record("devices", "--add", "tablet", "--scope", scope)
            link = panel.url + "?" + told["url"].partition("?")[2]
            with httpx.Client(follow_redirects=True) as browser:
                page = browser.get(link)
                assert page.status_code == 200
                assert "pair" not in str(page.url)
                assert httpx.get(link).status_code == 401
                token = browser.cookies["thistlebot_token"]
            bearer = {"authorization": f"Bearer {token}"}
            address = panel.url.replace("http", "ws", 1)
            with connect(f"{address}ws/command", additional_headers=bearer, proxy=None) as socket:
                watcher = Watcher(socket)
                socket.send('{"lease":"take"}')
                if scope in {DeviceScope.VISIT, DeviceScope.WATCH}:
                    watcher.until(lambda each: bool(each.answers))
                    assert watcher.answers[0]["kind"] == "scope"
                else:
                    watcher.take()
                    answer = watcher.order({"command": "save_view"})
                    assert (answer.get("kind") == "scope") == (scope is DeviceScope.OPERATE)
                    socket.send('{"lease":"give"}')
            visits = scope is DeviceScope.VISIT
            refused = 403 if visits else 200
            assert httpx.post(f"{panel.url}stop", headers=bearer).status_code == refused
            assert httpx.get(f"{panel.url}view", headers=bearer).status_code == refused
            assert page.url.path == ("/show" if visits else "/")
            assert ("stop-place" in page.text) != visits
            assert thistlebot("devices", "--revoke", "tablet").exit_code == 0
            assert httpx.get(panel.url, headers=bearer).status_code == 401
            with pytest.raises(InvalidStatus):
                connect(f"{address}ws/stop", additional_headers=bearer, proxy=None)
        assert records("devices") == []
        visitor = (tmp_path / "state" / VISITORS).read_text().strip()
        with httpx.Client(follow_redirects=True) as phone:
            assert phone.get(f"{panel.url}show?token={visitor}").url.path == "/show"
            assert phone.get(f"{panel.url}api/v1/state").status_code == 403
            for path in ("ws/stop", "ws/camera/0"):
                cookie = {"cookie": f"thistlebot_token={visitor}"}
                with pytest.raises(InvalidStatus):
                    connect(f"{address}{path}", additional_headers=cookie, proxy=None)
        assert thistlebot("devices", "--revoke", "tablet").exit_code == ExitCode.USAGE
        assert (tmp_path / "state" / DEVICES).stat().st_mode & 0o077 == 0
    finally:
        panel.close()
