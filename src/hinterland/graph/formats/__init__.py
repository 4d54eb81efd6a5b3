"""Graphs from files and from networkx, in every form that networkx writes and a few more.

This room may use ``graphs``, and knows neither rules nor positions. A file is accepted only if all of it is valid.
Begin with ``graph_files``: ``forms`` detects the form, a reader returns a ``RawGraph``, ``assemble`` makes the board.
"""
