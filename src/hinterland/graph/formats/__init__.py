"""Graphs from files and from networkx, in every form (file format) that networkx writes and a few more.

This package may use ``graphs``, and knows neither rules nor positions. A file is accepted only if all of it is valid.
Begin with ``graph_files``, which takes three steps: ``forms`` detects the form, a reader of this form returns a
``RawGraph``, and ``assemble`` makes a board of it.
"""
