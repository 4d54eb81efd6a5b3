"""Reports of a contest: gathered from its records in one pass, and rendered as one page without scripts.

Knows no server. Begin with ``contest_view``, the value to show; ``contest_sums`` makes it, ``report_page`` renders it.
"""
