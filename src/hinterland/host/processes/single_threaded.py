"""Importing this first leaves matrices to one thread: where many processes work, threads would wait for one another."""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
