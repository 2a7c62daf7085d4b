"""One plugin of each kind for Thistlebot; `pyproject.toml` declares them."""
