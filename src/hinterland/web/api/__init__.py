"""What programs and the scripts of pages ask for, answered in JSON and in files; and the reading of what they ask.

May touch the arena and the tables that are live; knows no page. Begin with ``game_api``, then ``game_request``,
in which every fault of a request becomes one clear line.
"""
