"""The solvers, one module a game: it is called as the game and has its `Solver` as ``SOLVER``.

Putting a module here registers it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from types import MappingProxyType

from visavis.engine.values import Solver


def found() -> Mapping[str, Solver]:
    """Return all solvers by the slugs of their games."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return MappingProxyType(
        {slug: importlib.import_module(f"{__name__}.{slug}").SOLVER for slug in sorted(modules)}
    )
