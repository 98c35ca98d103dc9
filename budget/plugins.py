"""Plugins: the registry of everything that has a name, from Discreet and from the packages that the settings name.

A thing (a statistic, a mechanism, a format, a codebook, a source) is defined in a file of its folder here, or in
another package, which offers it as an entry point of one of the groups below; docs/extending.md states what each group
takes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution
from pkgutil import iter_modules
from typing import Any, TypeVar

from discreet.budget.errors import ParameterError, Phrase

T = TypeVar("T")
PLUGINS = "DISCREET_PLUGINS"  # the packages to load, separated by blanks
STATISTICS = "discreet.statistics"
MECHANISMS = "discreet.mechanisms"
FORMATS = "discreet.formats"
CODEBOOKS = "discreet.codebooks"
SOURCES = "discreet.sources"
GROUPS = (FORMATS, CODEBOOKS, SOURCES, STATISTICS, MECHANISMS)
OURS = "discreet"
UNEXAMINED = Phrase("its privacy tests were not run in this process")


@dataclass(frozen=True)
class Package:
    """An installed package that the settings name: its version, its directory, and its entry points."""

    name: str
    version: str
    place: str
    offers: tuple[EntryPoint, ...]

    def __str__(self) -> str:
        """Return name and version, as cards show them."""
        return f"{self.name} {self.version}"

    @property
    def modules(self) -> set[str]:
        """The top-level modules of all entry points."""
        return {_top(point.module) for point in self.offers}


class Registry(dict[str, T]):
    """Things of one kind by name; with a group, those that named packages offer to it are included."""

    def __init__(self, group: str = "") -> None:
        """Start empty; `group` is the group of entry points to load."""
        super().__init__()
        self.group = group

    def add(self, name: str, thing: T) -> None:
        """Register a thing under its name. Raise ParameterError for a name that another package registered."""
        package = package_of(thing)
        if _loading and package is None and not is_ours(thing):
            raise ParameterError(
                "The package {package} registers {thing}, which belongs to another package. Add that package to "
                "{setting}.",
                package=str(_loading[-1]),
                thing=name,
                setting=PLUGINS,
            )
        if name in self and package_of(self[name]) != package:
            raise ParameterError(
                "The package {package} registers the name {thing}, which is already used. It needs another name.",
                package=str(package or OURS),
                thing=name,
            )
        self[name] = thing

    def __missing__(self, name: str) -> T:
        """Report a package that could not be loaded, if there is one; otherwise raise KeyError."""
        check()
        raise KeyError(name)

    def fill(self, package: str, folder: Iterable[str]) -> None:
        """Register what the files of a folder define, and then what named packages offer."""
        import_files(package, folder)
        self.load()

    def load(self) -> None:
        """Register what named packages offer. An error is kept for `check`: an import has no one to report it to."""
        _filled.append(self)
        try:
            offered = [(package, point) for package in packages() for point in package.offers]
            for package, point in offered:
                if point.group == self.group:
                    _import(package, point)
        except ParameterError as wrong:
            _troubles.append(wrong)


_filled: list[Registry[Any]] = []
_loading: list[Package] = []
_troubles: list[ParameterError] = []


def import_files(package: str, folder: Iterable[str]) -> None:
    """Import every file of a folder, one file for each thing. Subfolders, which hold shared code, are skipped."""
    for module in iter_modules(folder):
        if not module.ispkg:
            import_module(f"{package}.{module.name}")


def _import(package: Package, point: EntryPoint) -> None:
    """Import the module of an entry point; it may be partly imported already, by an earlier caller."""
    _loading.append(package)
    try:
        import_module(point.module)
    except ParameterError:
        raise
    except Exception as wrong:
        raise ParameterError(
            "The package {package} cannot be loaded: {why}. Install a version that fits, or remove its name from "
            "{setting}.",
            package=str(package),
            why=f"{type(wrong).__name__}: {wrong}",
            setting=PLUGINS,
        ) from wrong
    finally:
        _loading.pop()


def packages(environment: Mapping[str, str] = os.environ) -> tuple[Package, ...]:
    """Return the packages that the settings name, from their metadata: none is imported for it."""
    return _named(environment.get(PLUGINS, ""))


@lru_cache(maxsize=8)
def _named(names: str) -> tuple[Package, ...]:
    every = {package.name: package for package in map(_installed, names.split())}
    owners = {OURS: OURS}
    for package in every.values():
        for module in package.modules:
            if owners.setdefault(module, package.name) != package.name:
                raise ParameterError(
                    "The packages {package} and {other} share the module {module}. Each package needs its own module.",
                    package=package.name,
                    other=owners[module],
                    module=module,
                )
    return tuple(every.values())


def _installed(name: str) -> Package:
    try:
        found = distribution(name)
    except (PackageNotFoundError, ValueError):
        raise ParameterError(
            "The package {package} is not installed. Install it, or remove its name from {setting}.",
            package=name,
            setting=PLUGINS,
        ) from None
    offers = tuple(point for point in found.entry_points if point.group in GROUPS)
    if not offers:
        raise ParameterError(
            "The package {package} offers nothing to Discreet. Remove its name from {setting}.",
            package=name,
            setting=PLUGINS,
        )
    return Package(found.name, found.version, str(found.locate_file("")), offers)


def check(environment: Mapping[str, str] = os.environ) -> None:
    """Raise ParameterError for named packages that are missing, fail to load, or do not register what they offer."""
    every = packages(environment)
    for wrong in _troubles:
        raise wrong
    for registry in _filled:
        kinds = {thing if isinstance(thing, type) else type(thing) for thing in registry.values()}
        for package in every:
            for point in package.offers:
                if point.group == registry.group and _offered(point) not in kinds:
                    raise ParameterError(
                        "The package {package} offers {thing}, which the group {group} does not accept. See "
                        "docs/extending.md.",
                        package=str(package),
                        thing=point.value,
                        group=point.group,
                    )


def _offered(point: EntryPoint) -> Any:
    try:
        return point.load()
    except AttributeError:
        return None


def package_of(thing: Any) -> Package | None:
    """Return the named package that defines a class, a value's class or a function; None for Discreet's own."""
    return None if is_ours(thing) else _owners(os.environ.get(PLUGINS, "")).get(_top(thing.__module__))


@lru_cache(maxsize=8)
def _owners(names: str) -> dict[str, Package]:
    try:
        return {module: package for package in _named(names) for module in package.modules}
    except ParameterError:  # `load` has kept it
        return {}


def is_ours(thing: Any) -> bool:
    """Return whether a class, a value's class or a function is Discreet's own."""
    return _top(thing.__module__) == OURS


def name_of_kind(kind: type) -> str:
    """Return the name of a kind in stored queries: with its module if it is not Discreet's own."""
    return kind.__name__ if is_ours(kind) else f"{kind.__module__}.{kind.__qualname__}"


def named_with(kinds: Iterable[type]) -> tuple[str, ...]:
    """Return the packages, with their versions, that define any of these kinds."""
    return tuple(sorted({str(package) for package in map(package_of, kinds) if package is not None}))


def setting(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return the setting as environment variables, for a process that inherits none."""
    return {PLUGINS: environment[PLUGINS]} if environment.get(PLUGINS) else {}


def places() -> list[str]:
    """Return the directories of the named packages, for a process that does not inherit the import path."""
    return list(dict.fromkeys(package.place for package in packages()))


Examiner = Callable[[type], Phrase | None]
_examiners: list[Examiner] = []


def examined_by(examiner: Examiner) -> None:
    """Set the function that runs the layers of evidence for a kind and returns what is missing; it is floors above."""
    _examiners[:] = [examiner]


def lacking(kind: type) -> Phrase | None:
    """Return what evidence is missing for a kind from another package, or None; Discreet's own lacks nothing."""
    if package_of(kind) is None:
        return None
    return _examiners[0](kind) if _examiners else UNEXAMINED


def check_evidence(kinds: Iterable[type]) -> None:
    """Raise ParameterError, for protected rows, if a kind from another package lacks valid evidence."""
    for kind in kinds:
        why = lacking(kind)
        if why is not None:
            raise ParameterError(
                "{thing} of the package {package} cannot be used on a protected dataset: {why}. Use a "
                "public dataset or another mechanism. Nothing was spent.",
                thing=kind.__name__,
                package=str(package_of(kind)),
                why=why,
            )


def _top(module: str) -> str:
    return module.partition(".")[0]
