"""Functions that a build may lack, because its features leave them out."""

from __future__ import annotations

from typing import Any

from . import _hamcnf
from .errors import Error


def optional(function: str) -> Any:
    """Returns a function of the extension. Raises Error if the package was built without the function."""
    found = getattr(_hamcnf, function, None)
    if found is None:
        raise Error("this build of hamcnf has no pictures, no experiments and no program; install it with its default features")
    return found
