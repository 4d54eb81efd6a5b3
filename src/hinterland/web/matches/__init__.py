"""Tables at which matches are played, and a referee's own show. Touches the host; stands on ``live``.

Begin with ``hosting`` for the tables of the arena, or ``watching`` for a referee; both show a match by ``match_show``.
"""
