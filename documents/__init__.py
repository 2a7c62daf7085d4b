"""TOML in, typed values out, and back; errors name the file and key.

It also finds what other packages add: `documents.plugins`.
"""
