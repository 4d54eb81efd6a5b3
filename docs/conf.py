"""How Sphinx builds the documentation: ``make docs``."""

import hinterland

project = "Hinterland"
author = "The Hinterland developers"
copyright = "2026, The Hinterland developers"
release = hinterland.__version__
version = release

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown"}
suppress_warnings = ["ref.python"]  # types of one name in several modules

myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": False}

html_theme = "furo"
html_title = f"Hinterland {release}"
html_static_path = ["_static"]
html_css_files = ["docs.css"]
pygments_style = "friendly"
pygments_dark_style = "monokai"
