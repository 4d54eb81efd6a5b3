"""Order types: turns of three dots, crossing lines, forests of lines, canonical labellings, all types of a size.

Of this game, this room may use only ``points``. Begin with ``chirotopes``, then ``segments`` and ``forest``.
"""
