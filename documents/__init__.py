"""TOML in, typed values out, and back; errors name the file and key.

`plugins` finds what other packages add.
"""
