"""Roles of the suite beside the player's: guests of a page, people in a match of the arena, a recorded match.

``places`` hosts matches; the other files play one run of a case each. ``run_case`` begins them.
"""
