"""TOML in, typed values out, and back; every mistake is told with file, line and key."""
