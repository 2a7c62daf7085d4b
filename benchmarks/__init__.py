"""Measurements of what we claim, and campaigns that try to break it."""
