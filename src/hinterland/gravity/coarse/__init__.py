"""Positions on coarse boards: laying them out, playing on, and mapping what a stone on each cell takes or promises.

Stands on the rules of gravity and on ``lloyd``, and knows no tree; ``search`` and ``learning`` stand on it.
Begin with ``coarse_board``; ``coarse_replies`` maps what stones gain, ``expected_lead`` what they promise.
"""
