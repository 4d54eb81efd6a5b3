"""The atlas: every order type of a few dots, solved.

Up to 8 dots it ships with the package; for more it can be computed. This room may use ``order_types`` and ``solver``.
Begin with ``atlas_survey``; ``atlas_file`` reads the shipped atlas, and ``tests/dots/build_atlas.py`` makes it.
"""
