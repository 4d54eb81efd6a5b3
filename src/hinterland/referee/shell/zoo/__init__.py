"""The zoo: hostile players, each doing one thing wrong, against a real referee that is watched meanwhile."""
