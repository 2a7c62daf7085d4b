"""OpenCV is silent while anybody wants it so, and speaks again afterwards."""

import threading

import cv2

from vision.cameras.quiet_opencv import quiet_opencv

SILENT = cv2.utils.logging.LOG_LEVEL_SILENT


def test_opencv_is_silent_until_the_last_thread_is_done():
    before = cv2.utils.logging.getLogLevel()
    began, go_on = threading.Event(), threading.Event()

    def other():
        with quiet_opencv():
            began.set()
            go_on.wait(30.0)

    thread = threading.Thread(target=other)
    with quiet_opencv():
        thread.start()
        assert began.wait(30.0)
    assert cv2.utils.logging.getLogLevel() == SILENT  # the other is not done
    go_on.set()
    thread.join()
    assert cv2.utils.logging.getLogLevel() == before != SILENT
