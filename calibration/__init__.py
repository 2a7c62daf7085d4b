"""Procedures that measure a rig, and the profiles that they write."""
