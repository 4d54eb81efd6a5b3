"""The atlas: every order type of a few dots, solved; the one that ships, and how larger ones are worked out.

May touch ``order_types`` and ``solver``. Begin with ``atlas_survey``; ``atlas_file`` reads what ships, and
``tests/dots/build_atlas.py`` makes it.
"""
