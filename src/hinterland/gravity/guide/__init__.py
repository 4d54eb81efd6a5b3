"""Reads and evaluates guides of the search: small convolutional networks that were trained by self-play.

To use a guide, ``hinterland.learning``, which trains guides, is not needed. Begin with ``network``, which evaluates a
guide; ``guide_file`` reads the files, and says which it refuses.
"""
