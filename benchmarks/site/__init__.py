"""The documentation site: pages, code and notebooks in, `build/site` out."""
