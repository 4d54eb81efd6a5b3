"""Coarse boards: lays positions out on fewer cells, plays on, and maps what a stone on each cell takes or promises.

Imports the rules of gravity and ``lloyd``, and knows no search tree; ``search`` and ``learning`` import it. Begin with
``coarse_board``; ``coarse_replies`` maps what stones gain, ``expected_lead`` what they promise.
"""
