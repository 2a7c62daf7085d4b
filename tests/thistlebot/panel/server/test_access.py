import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thistlebot.panel.server.access import Access, is_loopback, kept_token, same_origin


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("localhost:8060", True),
        ("LOCALHOST", True),
        ("127.0.0.1:8060", True),
        ("[::1]:8060", True),
        ("127.8.8.8", True),
        ("192.168.1.4:8060", False),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
        ("[", False),
        ("user@evil.example", False),
    ],
)
def test_a_server_of_this_computer_only_goes_by_its_names(host: str, known: bool) -> None:
    assert Access().knows_host(host) is known


def test_a_server_for_others_goes_by_addresses_and_its_own_names(tmp_path: Path) -> None:
    access = Access.of("0.0.0.0", tmp_path / "token")
    assert access.token
    assert access.knows_host("192.168.1.4:8060")
    assert access.knows_host("[fe80::1]:8060")
    assert not access.knows_host("rebound.example:8060")


@pytest.mark.parametrize(
    ("origin", "host", "same"),
    [
        ("", "a:1", True),
        ("http://a:1", "a:1", True),
        ("https://a:1", "a:1", True),
        ("http://A:1", "a:1", True),
        ("http://a:2", "a:1", False),
        ("http://a", "a:1", False),
        ("null", "a:1", False),
        ("http://a:1.evil.example", "a:1", False),
        ("http://evil.example/a:1", "a:1", False),
    ],
)
def test_origins(origin: str, host: str, same: bool) -> None:
    assert same_origin(origin, host) is same


@given(st.text(max_size=40))
def test_nothing_that_a_client_sends_breaks_the_rules(text: str) -> None:
    access = Access("token", frozenset({"localhost"}))
    access.knows_host(text)
    assert not access.knows_token(text) or text == "token"
    same_origin(text, "localhost")


def test_a_token_is_kept_from_start_to_start_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "state" / "panel-token"
    token = kept_token(file)
    assert kept_token(file) == token
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_bytes(b"\xff")
    assert kept_token(file) != token


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False)],
)
def test_loopback(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
