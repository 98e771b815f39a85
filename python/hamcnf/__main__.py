"""The program ``hamcnf``: ``python -m hamcnf solve 8x8``.

Experiments start this file by its path, in an isolated Python, for every job.
"""

import sys
from pathlib import Path


def main() -> None:
    """Runs the program with the arguments of this process, and exits."""
    if __package__:
        from . import _hamcnf
    else:
        # The extension needs no other module of the package, and no other package.
        sys.path.insert(0, str(Path(__file__).resolve().parent))
        import _hamcnf
    if not hasattr(_hamcnf, "main"):
        sys.exit("error: this build of the Python package has no program; install it with its default features")
    sys.exit(_hamcnf.main(["hamcnf", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
