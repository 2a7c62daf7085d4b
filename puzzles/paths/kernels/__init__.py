"""Compiled searches for paths between states of any puzzle."""
