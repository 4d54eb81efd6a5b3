"""Ratings from records of any kind, and their table.

Builds on ``evidence`` and ``scoring``; reads files of records. Begin with ``rated_records``.
"""
