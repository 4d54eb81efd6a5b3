"""Hosted matches, and the page of a referee. Touches the host; stands on ``live``.

Begin with ``hosting`` for the matches of the arena, or ``watching`` for a referee; both show a match by ``match_show``.
"""
