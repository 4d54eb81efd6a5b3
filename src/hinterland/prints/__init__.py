"""A game on paper and on other sites: link previews, posters and frames of films, with title, names and scores.

It knows a game only by its ``Pictures``, and opens no file. Begin with ``sheet``, which says where everything stands
and makes images and SVG of it; ``frames`` and ``poster`` lay sheets out.
"""
