"""A virtual cube in a virtual rig before virtual cameras: what stands in for a machine."""

from collections.abc import Mapping

from cube.net import WESTERN_SCHEME
from cube.state import SOLVED, CubeState
from robot.ports.clock import Clock
from robot.rigs.mechanism import Mechanism
from robot.virtual.faults import Faults
from robot.virtual.virtual_rig import VirtualRig
from vision.cameras.camera import Camera
from vision.geometry.view import View
from vision.virtual.viewpoints import CORNER_CAMERAS, corner_viewpoint, default_views
from vision.virtual.virtual_camera import VirtualCamera


class VirtualWorld:
    """A virtual cube in a virtual rig, in front of virtual cameras.

    The rig turns the cube and the cameras see it; nothing else connects them.
    """

    def __init__(
        self,
        rig: Mechanism,
        state: CubeState = SOLVED,
        seed: int = 0,
        clock: Clock | None = None,
        faults: Faults | None = None,
        *,
        scheme: Mapping[str, str] = WESTERN_SCHEME,
        lanes: int = 2,
    ) -> None:
        self.rig = VirtualRig(rig, clock, state, faults, seed, lanes=lanes)
        self.cameras: tuple[Camera, ...] = tuple(
            VirtualCamera(
                lambda: self.rig.state, corner_viewpoint(camera), seed=seed + number, scheme=scheme
            )
            for number, camera in enumerate(CORNER_CAMERAS)
        )
        self.views: tuple[View, ...] = default_views(scheme)
