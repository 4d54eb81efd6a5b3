"""The JSON and file endpoints that programs and the scripts of pages call, and the readers of their requests.

May touch the arena and its live games; knows no page. Begin with ``game_api``, then ``game_request``, which turns every
fault of a request into one clear line.
"""
