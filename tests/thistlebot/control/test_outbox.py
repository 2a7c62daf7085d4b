"""What waits for a watcher."""

from thistlebot.control.outbox import MOST_EVENTS, Outbox


def test_events_come_in_order_and_the_view_last() -> None:
    outbox = Outbox(lambda: None)
    for number in range(3):
        outbox.put(b"e%d" % number, b"v%d" % number)
    assert outbox.take() == [b"e0", b"e1", b"e2", b"v2"]
    assert outbox.take() == []


def test_a_watcher_is_woken_once_for_all_that_waits() -> None:
    woken: list[int] = []
    outbox = Outbox(lambda: woken.append(1))
    outbox.put(b"a", b"v")
    outbox.put(b"b", b"w")
    assert len(woken) == 1
    outbox.take()
    outbox.put(None, b"x")
    assert len(woken) == 2


def test_a_watcher_far_behind_is_told_so_and_gets_the_view() -> None:
    outbox = Outbox(lambda: None)
    for number in range(2 * MOST_EVENTS):
        outbox.put(b"e", b"v%d" % number)
    assert outbox.take() == [b'{"type":"lost"}', b"v%d" % (2 * MOST_EVENTS - 1)]
    outbox.put(b"again", b"w")
    assert outbox.take() == [b"again", b"w"]
