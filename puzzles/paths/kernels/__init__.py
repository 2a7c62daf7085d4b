"""Compiled searches for ways between states of any puzzle."""
