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
    sys.exit(_hamcnf.main(["hamcnf", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
