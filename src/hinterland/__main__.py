"""``python -m hinterland`` is the ``hinterland`` command."""

from hinterland.cli import main

main()
