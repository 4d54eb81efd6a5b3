"""Order types: turns of three dots, which lines cross, forests of lines, canonical labellings, all types of a size.

May touch ``points`` and nothing else of this game. Begin with ``chirotopes``, then ``segments`` and ``forest``.
"""
