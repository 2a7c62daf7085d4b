"""Additions by other packages: cameras, boards, rigs, classifiers, objectives and commands.

A package declares each plugin as an entry point of a group such as `thistlebot.cameras`;
docs/plugins.md shows how. Names are known without loading a plugin. It is loaded when its name is
used; any failure then is one error that names the package.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from documents.errors import PluginError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
_PREFIX = "thistlebot."


@dataclass(frozen=True, slots=True)
class Plugin:
    """A plugin, as its package declares it.

    Attributes:
        kind: The kind of addition: ``cameras``, ``boards``, ``rigs`` …
        name: Its name for the user.
        package: The package that declares it.
        version: Version of the package.
    """

    kind: str
    name: str
    package: str
    version: str

    def __str__(self) -> str:
        return f"{self.name!r} of {self.package} {self.version} (thistlebot.{self.kind})"


@dataclass(frozen=True)
class Plugins(Mapping[str, T], Generic[T]):
    """The table of one kind, by name: built-in entries, then those of other packages.

    Looking up a name loads its plugin; membership and iteration load nothing. A built-in name hides
    plugins of the same name.

    Attributes:
        kind: The entry points' group, without ``thistlebot.``.
        built_in: The built-in entries.
        fits: Returns whether an object can be such a plugin.
        wanted: What it must be, for messages.
    """

    kind: str
    built_in: Mapping[str, T]
    fits: Callable[[object], bool] = callable
    wanted: str = "a function or a class"

    def __getitem__(self, name: str) -> T:
        """Return a built-in entry, or load the plugin with this name.

        Raises:
            KeyError: There is neither.
            PluginError: The plugin cannot be loaded, or several packages add the name.
        """
        if name in self.built_in:
            return self.built_in[name]
        found = [entry for entry in declared(self.kind) if entry.name == name]
        if not found:
            raise KeyError(name)
        if len(found) > 1:
            packages = " and ".join(_described(entry).package for entry in found)
            raise PluginError(
                f"{packages} both declare {name!r} in thistlebot.{self.kind}: uninstall one of them"
            )
        return self._loaded(found[0])

    def __contains__(self, name: object) -> bool:
        """Return whether a name exists; nothing is loaded."""
        return name in self.built_in or name in added_names(self.kind)

    def __iter__(self) -> Iterator[str]:
        """Yield the names; those of plugins come last, sorted."""
        yield from dict.fromkeys([*self.built_in, *added_names(self.kind)])

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def prefixed(self, text: str) -> tuple[T, str] | None:
        """Return the entry and the address of ``name:address`` or ``name``; None for other texts.

        Raises:
            PluginError: As for looking up the name.
        """
        name, _, address = text.partition(":")
        if address.startswith("//") or name not in self:
            return None
        return self[name], address

    def added(self) -> list[Plugin]:
        """Return the plugins without a built-in namesake; nothing is loaded."""
        return [_described(each) for each in declared(self.kind) if each.name not in self.built_in]

    def examined(self) -> Iterator[tuple[Plugin, str]]:
        """Load every plugin; yield each with its error, or an empty text."""
        for plugin in map(_described, declared(self.kind)):
            problem = ""
            if plugin.name in self.built_in:
                problem = f"{plugin}: the name is built in; rename the plugin"
            try:
                self[plugin.name]
            except PluginError as error:
                problem = str(error)
            yield plugin, problem

    def _loaded(self, entry: "EntryPoint") -> T:
        cause: BaseException | None = None
        try:
            found: Any = entry.load()
            why = "" if self.fits(found) else f"it is not {self.wanted}"
        except MemoryError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever another package raises
            cause, why = error, f"{type(error).__name__}: {error}"
        if why:
            plugin = _described(entry)
            raise PluginError(
                f"cannot load the plugin {plugin} from {entry.value}: {why}; upgrade the package, "
                f"or remove it with `pip uninstall {plugin.package}`"
            ) from cause
        return found  # type: ignore[no-any-return] # `fits` says so


def added_names(kind: str) -> list[str]:
    """Return the names of the plugins of a kind, sorted; nothing is loaded."""
    return sorted({entry.name for entry in declared(kind)})


def strays(kinds: Collection[str]) -> list[Plugin]:
    """Return the plugins of other groups that begin with ``thistlebot.``."""
    from importlib.metadata import entry_points

    known = {_PREFIX + kind for kind in kinds}
    groups = [group for group in entry_points().groups if group.startswith(_PREFIX)]
    return [_described(each) for group in groups if group not in known for each in _entries(group)]


def declared(kind: str) -> tuple["EntryPoint", ...]:
    """Return the entry points of a kind in all installed packages."""
    return _entries(_PREFIX + kind)


@cache
def _entries(group: str) -> tuple["EntryPoint", ...]:
    from importlib.metadata import entry_points

    return tuple(entry_points(group=group))


def _described(entry: "EntryPoint") -> Plugin:
    """Describe which package declares an entry point."""
    owner = entry.dist
    package, version = (entry.value, "") if owner is None else (owner.name, owner.version)
    return Plugin(entry.group.removeprefix(_PREFIX), entry.name, package, version)
