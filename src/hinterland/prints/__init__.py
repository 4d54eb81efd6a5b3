"""A game on paper and on other sites: a card to a link, posters, the frames of films, with title, names and scores.

Knows a game by its ``Pictures`` alone, and opens no file.
Begin with ``sheet``, what is put where; ``frames`` and ``poster`` lay out, ``painting`` and ``svg`` make files.
"""
