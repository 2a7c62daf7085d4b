import random

from robot.virtual.faults import Faults, Wire


def test_a_damaged_byte_differs_in_one_bit_and_any_bit_may_be_it() -> None:
    wire = Wire(Faults(flip=1.0), random.Random(1))
    sent = bytes(range(256)) * 2
    wire.put(sent, 0.0)
    arrived = wire.take(0.0)
    changes = [one ^ other for one, other in zip(sent, arrived, strict=True)]
    assert set(changes) == {1 << bit for bit in range(8)}
