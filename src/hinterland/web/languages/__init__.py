"""Translations of the pages.

English texts are in the code, and are the keys of their translations. Each other language is one gettext file,
``catalogues/CODE.po``. This package knows no game and no page. Begin with ``catalogue``; ``reader`` finds the language
of each request.
"""
