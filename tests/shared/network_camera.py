"""A network camera, which sends JPEGs as a multipart stream."""

import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def streaming(pictures: Callable[[], Iterator[bytes]]) -> Iterator[str]:
    """The address of a stream of pictures; the camera hangs up at their end."""
    over = threading.Event()

    class Sender(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
            self.end_headers()
            for data in pictures():
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                try:
                    self.wfile.write(head.encode() + data + b"\r\n")
                except OSError:
                    return
                if over.is_set():
                    return

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sender) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/video.mjpg"
        finally:
            over.set()
            server.shutdown()
            thread.join()
