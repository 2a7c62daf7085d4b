"""How functions are compiled, and the cache that notices when one of them changed.

numba keeps compiled code on disk, and compiles anew when the file of the function changes. It does
not look at the files of other functions that were inlined. Therefore what is kept stands in
a folder that is named by a digest over all files of this package: another digest, another folder.
Where there is none and none can be made, everything is compiled in each process.
"""

# numba's insides have no types:
# mypy: disable-error-code="no-untyped-call,attr-defined,assignment"

import contextlib
import hashlib
import os
import pickle
import shutil
import zlib
from collections.abc import Callable
from functools import cache
from inspect import isfunction
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
from numba import config, njit
from numba.core import typeinfer
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    _CacheLocator,
)
from numba.extending import register_jitable

from solver.kernels import packed

_PREFIX = "kernels-"
_CRC_BYTES = 4
_KEPT = 4
"""So many folders are kept, for several versions of the program on one computer."""
Function = TypeVar("Function", bound=Callable[..., Any])


def ints(count: int, result: str = "int64") -> str:
    """The signature of a function of so many integers."""
    return f"{result}({', '.join(['int64'] * count)})"


def compiled(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for one signature, without the GIL, or take it from the cache."""

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = njit(nogil=True)(function)
        if cache_folder() is not None:
            dispatcher._cache = _Cache(function)
        with typeinfer.register_dispatcher(dispatcher):  # so that it can call itself
            dispatcher.compile(signature)
            dispatcher.disable_compile()
        return dispatcher

    return decorate


def inlined(function: Function) -> Function:
    """Let compiled code call a function that is compiled into its callers and nowhere else."""
    register_jitable(forceinline=True)(function)
    return function


@cache
def cache_folder() -> Path | None:
    """Where compiled code is kept; None when there is no folder for it and none can be made.

    It is ``kernels-DIGEST`` in numba's cache folder where one is set, else in the program's: the
    user's, or ``THISTLEBOT_CACHE_DIR``. When one is made, those that were not used for longest are
    removed.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    ours = os.environ.get("THISTLEBOT_CACHE_DIR")
    parent = Path(
        config.CACHE_DIR or ours or platformdirs.user_cache_dir("thistlebot", appauthor=False)
    )
    folder = parent / f"{_PREFIX}{digest.hexdigest()[:16]}"
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            others = sorted(parent.glob(f"{_PREFIX}*"), key=lambda path: path.stat().st_mtime)
            for old in others[:-_KEPT]:
                shutil.rmtree(old, ignore_errors=True)
        with contextlib.suppress(OSError):  # what may only be read is of use, too
            os.utime(folder)
    except OSError:
        return None
    return folder


class _Locator(_CacheLocator):
    """Says where a function is kept, and by what it is known."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._file, self._line = file, function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> "_Locator":
        return cls(py_func, py_file)

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return hashlib.sha256(Path(self._file).read_bytes()).hexdigest()

    def get_disambiguator(self) -> str:
        return f"{Path(self._file).parent.name}-{self._line}"


class _CacheImpl(CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _SealedFiles(IndexDataCacheFile):
    """numba's files with a checksum before each: code that was damaged must not run."""

    def _dump(self, obj: Any) -> bytes:
        data: bytes = super()._dump(obj)
        return zlib.crc32(data).to_bytes(_CRC_BYTES, "little") + data

    def _load_data(self, name: str) -> Any:
        return _unsealed(Path(self._data_path(name)))

    def _save_index(self, overloads: Any) -> None:
        with self._open_for_write(self._index_path) as file:
            file.write(self._dump((self._version, self._source_stamp, overloads)))

    def _load_index(self) -> Any:
        try:
            version, stamp, overloads = _unsealed(Path(self._index_path))
        except OSError:
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}


def _unsealed(path: Path) -> Any:
    """What a file holds; OSError, after which numba compiles anew, when it is damaged."""
    content = path.read_bytes()
    checksum, data = content[:_CRC_BYTES], content[_CRC_BYTES:]
    if int.from_bytes(checksum, "little") != zlib.crc32(data) or not data:
        raise OSError(f"{path} is damaged")
    return pickle.loads(data)  # noqa: S301 - from the user's own cache folder


class _Cache(FunctionCache):
    """numba's cache, to which damage, a full disk or a folder just removed does no harm."""

    _impl_class = _CacheImpl

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _SealedFiles(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def save_overload(self, sig: Any, data: Any) -> None:
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


for _function in filter(isfunction, vars(packed).values()):
    inlined(_function)
