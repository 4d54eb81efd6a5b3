"""Players that leave a share of their moves to chance."""

import numpy as np
import pytest

from hinterland import catalog
from hinterland.contract import Clock, slip
from hinterland.errors import BadText

SLIPPING = {"gravity": "search:playouts=1", "graph": "search:playouts=1", "dots": "mcts:playouts=1"}
SMALL = {
    "gravity": {"size": 12, "spacing": 2, "stones": 2},
    "graph": {"vertices": 12, "tokens": 2},
    "dots": {"dots": 6},
}


@pytest.mark.parametrize("name", catalog.GAMES)
def test_who_slips_plays_as_without_slips_or_anything(name):
    """As often as told, and never anything illegal."""
    game = catalog.game(name)
    game.warm_up()
    position = game.rules.from_options(SMALL[name]).start()
    for slips, least, most in ((0.0, 0, 0), (0.3, 1, 11), (1.0, 12, 12)):
        player = catalog.player(game, f"{SLIPPING[name]},slips={slips}")
        slipped = 0
        for seed in range(12):
            played = player.choose(position, Clock(), np.random.default_rng(seed))
            chance = slip(slips, position.legal_moves, drawn := np.random.default_rng(seed))
            slipped += chance is not None
            usual = catalog.player(game, SLIPPING[name]).choose(position, Clock(), drawn)
            assert played == (usual if chance is None else chance)
            assert played in position.legal_moves
        assert least <= slipped <= most


@pytest.mark.parametrize("slips", ["-0.1", "1.5", "nan", "often"])
@pytest.mark.parametrize("name", catalog.GAMES)
def test_a_share_of_slips_is_from_0_to_1(name, slips):
    with pytest.raises(BadText, match=r"options of player \w+: .*slips"):
        catalog.player(catalog.game(name), f"{SLIPPING[name]},slips={slips}")
