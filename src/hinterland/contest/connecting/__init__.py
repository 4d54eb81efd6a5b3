"""Players of a contest that come over the network with a token: who waits, whose match begins, what was played.

Stands on ``host`` and its lobby; ``engine`` plays all else meanwhile. Begin with ``network``.
"""
