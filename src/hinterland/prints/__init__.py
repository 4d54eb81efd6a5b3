"""Pictures of a game for paper and for other sites: link previews, posters and frames of films.

The package knows a game only by its ``Pictures``, and opens no file. Begin with ``sheet``, which describes the layout
of a picture and makes images and SVG of it; ``frames`` and ``poster`` lay sheets out.
"""
