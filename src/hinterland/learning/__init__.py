"""Trains guides: small networks that tell the search of gravity which cells are worth trying.

The search plays against itself, and a network learns from its games. This package uses only gravity, and touches no
file and no clock. Training needs torch; playing with a guide does not. Begin with ``training``, which holds the network
and the whole loop; ``self_play`` makes the samples.
"""

from importlib.util import find_spec

from hinterland.errors import ArenaError

if find_spec("torch") is None:
    raise ArenaError("learning needs torch: pip install 'hinterland[learn]'; to play with a guide needs nothing more")
