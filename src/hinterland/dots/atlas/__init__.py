"""The atlas: every order type of a few dots, solved.

The package ships the atlas of up to 8 dots; for more dots, ``hinterland atlas`` computes it. This room may use
``order_types`` and ``solver``. Begin with ``atlas_survey``; ``atlas_file`` reads the shipped atlas, and
``tests/dots/build_atlas.py`` makes it.
"""
