"""A link that has greeted its board."""

import pytest
from link_peer import Peer, reply


@pytest.fixture
def peer() -> Peer:
    peer = Peer()
    peer.link.open(0.0, 5.0, nonce=9)
    peer.sent()
    peer.hear(reply())
    return peer
