"""The JSON and file endpoints that programs and the scripts of pages call, and the readers of requests.

This package may import the arena and its live games, but no page. Begin with ``game_api``, then ``game_request``, which
reports every fault of a request in one clear line.
"""
