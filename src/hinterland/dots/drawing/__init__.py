"""Pictures of positions: where dots lie, what was drawn, shapes, and these as SVG and as images.

May touch all other rooms; the rules call ``dots_svg`` from a notebook. Begin with ``dots_shapes``.
"""
