"""How everything is drawn: shapes as SVG and as images, charts, letters.

Games, reviews, reports and prints draw with this room, which knows none of them. It opens no file but fonts. Begin with
``shapes``.
"""
