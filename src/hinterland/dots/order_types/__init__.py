"""Order types: turns of three dots, crossing lines, forests of lines, canonical labellings, all types of a size.

Of the rooms of this game, this one may use only ``points``. Begin with ``chirotopes``, then ``segments`` and
``forest``.
"""
