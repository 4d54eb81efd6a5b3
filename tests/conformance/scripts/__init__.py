"""The players of the conformance suite, good and hostile: scripts that import nothing but the standard library."""
