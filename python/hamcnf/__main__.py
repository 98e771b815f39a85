"""The program ``hamcnf``: ``python -m hamcnf solve 8x8``.

Experiments start this file by its path, in an isolated Python, for each of their jobs.
"""

import sys
from pathlib import Path


def main() -> None:
    """Runs it with the arguments of this process, and ends the process."""
    if __package__:
        from . import _hamcnf
    else:
        # Nothing else of the package is needed, nor is anything else that is installed.
        sys.path.insert(0, str(Path(__file__).resolve().parent))
        import _hamcnf
    sys.exit(_hamcnf.main(["hamcnf", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
