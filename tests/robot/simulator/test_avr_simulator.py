from robot.simulator.avr_simulator import Trace


def test_bytes_are_counted_from_the_simulators_last_line() -> None:
    said = (
        "simulator: lost 9, received 8\nsimulator: 30.5 ms, received 512 bytes, lost 3, sent 77\n"
    )
    trace = Trace((), (), said)
    assert trace.received_bytes == 512
    assert trace.lost_bytes == 3
