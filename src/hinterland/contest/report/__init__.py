"""What people see of a contest: gathered from its records in one pass, and drawn as one page without a script.

Knows no server. Begin with ``contest_view``, the value that is shown; ``contest_sums`` makes it, ``report_page``
draws it.
"""
