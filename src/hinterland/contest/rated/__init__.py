"""Records of any kind as results that can be rated, and the table of ratings.

Stands on ``evidence`` and on ``scoring``; reads files of records. Begin with ``rated_records``.
"""
