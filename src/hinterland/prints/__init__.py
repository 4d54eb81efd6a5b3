"""Pictures of a game for paper and for other sites: link previews, posters, frames of films, and pages that step.

The package knows a game only by its ``Pictures``, and opens no file but its own templates. Begin with ``sheet``, which
describes the layout of a picture and draws it as an image or as SVG; ``frames`` and ``poster`` make such layouts.
"""
