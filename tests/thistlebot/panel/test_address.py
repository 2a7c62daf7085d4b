import ipaddress

import pytest

from thistlebot.panel.address import own_address, panel_url, qr_code


@pytest.mark.parametrize(
    ("address", "token", "url"),
    [
        (("127.0.0.1", 8060), "", "http://127.0.0.1:8060/"),
        (("::1", 80), "", "http://[::1]:80/"),
        (("192.0.2.4", 8060), "abc", "http://192.0.2.4:8060/?token=abc"),
    ],
)
def test_the_address_to_open(address: tuple[str, int], token: str, url: str) -> None:
    assert panel_url(address, token) == url


def test_of_all_addresses_one_is_told_that_others_reach() -> None:
    url = panel_url(("0.0.0.0", 8060), "abc")
    assert "0.0.0.0" not in url
    assert ipaddress.ip_address(own_address())


def test_the_code_is_square_and_fits_a_terminal() -> None:
    lines = qr_code("http://192.168.178.24:8060/?token=" + "x" * 22).splitlines()
    assert len(lines) < 24
    assert max(map(len, lines)) < 80 * 8  # with the codes of the colours
