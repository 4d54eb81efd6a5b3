"""People who play one another, each in their own browser: challenges, and the agreements of their players.

A challenge is a hosted match without a port (``matches/hosting.py``). Nothing here knows requests or pages. Begin with
``challenges.py``.
"""
