"""Graphs from files and from networkx, in every form that it writes and a few more.

May touch ``graphs``, and knows neither rules nor positions. A file is believed only when all of it can be.
Begin with ``graph_files``; ``forms`` tells the form, each reader says what it ``found``, ``assemble`` makes the board.
"""
