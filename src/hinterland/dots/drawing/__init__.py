"""Pictures of positions: where dots lie, what was drawn, shapes as SVG and as images.

May touch all other rooms, but ``dots_svg`` not the rules, which call it in a notebook. Begin with ``dot_places``.
"""
