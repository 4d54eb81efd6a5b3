"""Computes what a new stone gains: on every cell at once, or on the best cell alone.

Imports ``area`` and ``spacing``, and knows neither rules nor positions. Begin with ``reply_map``, whose essay says how
discs are summed up; ``best_reply`` finds the best cell without the map.
"""
