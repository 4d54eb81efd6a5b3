"""Hosted matches, and how viewers see them. Touches the host; stands on ``live``.

Begin with ``hosting`` for the matches of the arena, or ``challenges`` for those between people, which have no port. All
are shown by ``match_show``, as is the match of a referee.
"""
