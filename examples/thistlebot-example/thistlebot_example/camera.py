"""A camera: ``--camera upside-down:0`` is webcam 0, mounted upside down."""

from vision.cameras.camera import Camera
from vision.cameras.camera_kinds import open_camera
from vision.frame import Frame


class UpsideDownCamera(Camera):
    """Turns the pictures of another camera by 180 degrees.

    Args:
        address: What stands after ``upside-down:``, here any other source.

    Raises:
        CameraError: The other camera does not open.
    """

    def __init__(self, address: str) -> None:
        self._camera = open_camera(address)

    @property
    def name(self) -> str:
        """The name of the camera in messages."""
        return f"{self._camera.name} (upside down)"

    def read(self) -> Frame:
        """Return the next picture.

        Raises:
            CameraError: No picture came.
        """
        frame = self._camera.read()
        return Frame(frame.image[::-1, ::-1].copy(), self.name, frame.time_s)

    def close(self) -> None:
        """Release the other camera."""
        self._camera.close()
