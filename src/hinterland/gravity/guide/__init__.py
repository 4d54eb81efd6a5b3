"""Reads and evaluates guides of the search: small convolutional networks that were trained by self-play.

Using a guide does not need ``hinterland.learning``, which trains guides. Begin with ``network``, which evaluates a
guide; ``guide_file`` reads the files, and says which it refuses.
"""
