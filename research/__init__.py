"""Published results, each reproduced by one command: ``python -m research.NAME`` from the root of the repository.

Stands on the whole package; nothing stands on it. Each command has its page in docs/research and its table in
docs/research/data. tests/research checks small cases by other means.
"""
