"""The rig that the tests of this folder turn."""

import pytest

from robot.rigs.catalogue import default_rig
from robot.rigs.face_motors.mechanism import FaceMotors


@pytest.fixture
def rig() -> FaceMotors:
    return default_rig()
