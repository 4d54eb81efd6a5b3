"""People who play one another, each in a browser of their own: challenges, and what their players agree on.

A challenge is a table like any other (``matches/hosting.py``), without a port; nothing here knows requests or pages.
Begin with ``challenges.py``.
"""
