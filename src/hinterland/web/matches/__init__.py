"""Hosted matches, and how viewers see them. Uses ``host`` and ``live``.

Begin with ``hosting`` for the matches of the arena, or ``challenges`` for matches between people, which have no port.
``match_show`` shows the matches of the arena and of a referee.
"""
