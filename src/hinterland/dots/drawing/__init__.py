"""Pictures of positions: where dots lie, what was drawn, shapes as SVG and as images.

This room may use all others, but ``dots_svg`` must not import the rules, which call it in a notebook. Begin with
``dot_places``.
"""
