"""A guide of the search: a small convolutional network that was trained by self-play, read from a file and evaluated.

Stands on ``jit`` and the reader of files alone; ``hinterland.learning``, which trains guides, is not needed to use one.
Begin with ``network`` for what it computes; ``guide_file`` is the format of the file, and what it refuses.
"""
