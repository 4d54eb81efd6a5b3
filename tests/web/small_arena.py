"""An arena that has room for few connections, in a process of its own."""

from hinterland.web import server
from hinterland.web.run_arena import run_arena

SPARE = 10


def run_small(settings, announce):
    server.SPARE_CONNECTIONS = SPARE
    run_arena(settings, announce)
