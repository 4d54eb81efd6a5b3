"""Draws for all packages: shapes as SVG and as images, charts, colours, image files, and HTML for notebooks.

Games, reviews, reports and prints use this package, which knows none of them and opens no file. Begin with ``shapes``.
"""
