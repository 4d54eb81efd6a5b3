"""How everything is drawn: shapes as SVG and as images, charts, colours, image files, and HTML for notebooks.

Games, reviews, reports and prints draw with this room, which knows none of them and opens no file. Begin with
``shapes``.
"""
