"""Translations of the pages.

English is in the code and is the key; each other language is one gettext file, ``catalogues/CODE.po``. Knows no game
and no page. Begin with ``catalogue``; ``reader`` finds the language of each request.
"""
