"""The rig that the tests of this folder turn."""

import pytest

from robot.rigs.rig import Rig, default_rig


@pytest.fixture
def rig() -> Rig:
    return default_rig()
