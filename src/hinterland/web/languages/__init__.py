"""Translations of the pages.

The English texts are in the code and are the keys. Each other language is one gettext file, ``catalogues/CODE.po``.
This package knows no game and no page. Begin with ``catalogue``; ``reader`` finds the language of each request.
"""
