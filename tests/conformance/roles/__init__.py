"""Roles of the suite beside the player's: guests at a page, people at a table of the arena, a match that is recorded.

``places`` says where matches are hosted; the other files play one run of a case each. ``run_case`` begins them.
"""
