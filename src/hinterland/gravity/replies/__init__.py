"""The gain of a new stone: on every cell at once, or on the best cell alone.

Stands on ``area`` and ``spacing``, and knows neither rules nor positions.
Begin with ``reply_map``, whose essay says how discs are summed up; ``best_reply`` finds one cell without the map.
"""
