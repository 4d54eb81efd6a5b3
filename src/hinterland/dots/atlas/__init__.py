"""The atlas: every order type of a few dots, solved. One ships with the package; larger ones can be computed.

This room may use ``order_types`` and ``solver``. Begin with ``atlas_survey``; ``atlas_file`` reads the shipped atlas,
and ``tests/dots/build_atlas.py`` makes it.
"""
