"""The list of this computer's cameras."""

from pathlib import Path

from vision.cameras.camera_list import CameraInfo, list_cameras


def test_linux_lists_cameras_by_the_kernels_names(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    for node, index, name in (
        ("video10", "0", "Second camera"),
        ("video2", "0", "HD Webcam C920: HD Webcam"),
        ("video3", "1", "HD Webcam C920: HD Webcam"),  # the same camera's metadata
        ("video4", "0", ""),
    ):
        (tmp_path / node).mkdir()
        (tmp_path / node / "index").write_text(index + "\n")
        (tmp_path / node / "name").write_text(name + "\n")
    (tmp_path / "v4l-subdev0").mkdir()
    assert list_cameras(tmp_path) == (
        CameraInfo("/dev/video2", "HD Webcam C920: HD Webcam"),
        CameraInfo("/dev/video4", "camera 4"),
        CameraInfo("/dev/video10", "Second camera"),
    )
    assert list_cameras(Path("/nowhere/at/all")) == ()


def test_cameras_of_this_computer_are_listed_in_silence(capfd):
    for info in list_cameras():
        assert info.name
    assert capfd.readouterr() == ("", "")
