"""Play where no proof can be had in time: playouts, a tree search over them, traps among equal moves, hints.

May touch ``solver`` and all below it. Begin with ``playout_policy``.
"""
