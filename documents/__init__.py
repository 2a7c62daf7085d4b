"""TOML in, typed values out, and back; every mistake is told with file, line and key.

Also finds what other packages add: `documents.plugins`.
"""
