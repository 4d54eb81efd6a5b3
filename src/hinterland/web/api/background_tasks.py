"""The functions that the arena calls in background processes. Importing this module also loads the kernels."""

from __future__ import annotations

from hinterland import catalog
from hinterland.host.readiness import get_ready
from hinterland.ladder.calculation import compute_ladder
from hinterland.prints.frames import draw_card
from hinterland.prints.poster import draw_poster
from hinterland.web.api.game_api import draw_board
from hinterland.web.api.game_request import create_setup
from hinterland.web.api.match_request import plan_challenge, plan_match
from hinterland.web.api.notes_api import place_notes
from hinterland.web.api.reviewing import review_game
from hinterland.web.api.study_api import expect, judge, open_record, put_study
from hinterland.web.board_drawings import encode_drawing_data
from hinterland.web.gallery import analyse, draw_film_in_time, draw_heat, draw_png, draw_svg, find_hint

__all__ = [
    "analyse",
    "compute_ladder",
    "create_setup",
    "draw_board",
    "draw_card",
    "draw_film_in_time",
    "draw_heat",
    "draw_png",
    "draw_poster",
    "draw_svg",
    "encode_drawing_data",
    "expect",
    "find_hint",
    "judge",
    "open_record",
    "place_notes",
    "plan_challenge",
    "plan_match",
    "put_study",
    "review_game",
]  # fmt: skip

get_ready(*map(catalog.game, catalog.GAMES))
