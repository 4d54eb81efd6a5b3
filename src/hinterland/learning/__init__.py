"""Training guides for the search by self-play: the search plays against itself, and a network learns from its games.

Stands on gravity alone and touches no file and no clock. It needs torch; using a guide does not.
Begin with ``training``, which is the whole loop; ``self_play`` makes samples, ``residual_network`` learns from them.
"""

from importlib.util import find_spec

from hinterland.errors import ArenaError

if find_spec("torch") is None:
    raise ArenaError("learning needs torch: pip install 'hinterland[learn]'; to play with a guide needs nothing more")
