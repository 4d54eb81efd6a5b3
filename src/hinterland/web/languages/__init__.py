"""What people read in the browser, in their language.

English stands in the code and is the key; every other language is one in gettext's form, ``catalogues/CODE.po``.
Knows no game and no page. Begin with ``catalogue``; who reads is found out in ``reader``.
"""
