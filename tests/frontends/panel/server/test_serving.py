"""What the server asks of the system before it serves."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

HEAPS_OF_TWENTY_THREADS = """
import ctypes, sys, threading
from frontends.panel.server.serving import limit_heaps

libc = ctypes.CDLL(None)
libc.fopen.restype = libc.malloc.restype = ctypes.c_void_p
if sys.argv[1] == "limited":
    limit_heaps()
together = threading.Barrier(20)
def use():
    together.wait()
    libc.malloc(1000)
    together.wait()
threads = [threading.Thread(target=use) for _ in range(20)]
[each.start() for each in threads]
[each.join() for each in threads]
file = libc.fopen(sys.argv[2].encode(), b"w")
libc.malloc_info(0, ctypes.c_void_p(file))
libc.fclose(ctypes.c_void_p(file))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has a heap per thread")
def test_threads_share_two_heaps(tmp_path: Path) -> None:
    heaps = {}
    for kind in ("limited", "as usual"):
        file = tmp_path / kind
        command = [sys.executable, "-c", HEAPS_OF_TWENTY_THREADS, kind, str(file)]
        subprocess.run(command, check=True)
        heaps[kind] = file.read_text().count("<heap nr")
    assert heaps["limited"] == 2 < heaps["as usual"]
