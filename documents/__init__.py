"""TOML in, typed values out, and back; errors name the file, line and key.

It also finds what other packages add: `documents.plugins`.
"""
