"""A guide of the search: a small convolutional network that was trained by self-play, read from a file and evaluated.

Stands on ``jit`` and the reader of files alone; neither needs what trains a guide (``hinterland.learning``).
Begin with ``network`` for what it computes; ``guide_file`` is the form of the file, and what it refuses.
"""
