"""Hosted matches, and how viewers see them. Uses ``host`` and ``live``.

Begin with ``hosting`` for the matches of the arena, or ``challenges`` for matches between people, which have no port.
``match_show`` shows all of them, and the match of a referee.
"""
