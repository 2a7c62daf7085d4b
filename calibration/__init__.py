"""Procedures that measure a rig, and the documents (profiles, views, rigs) that they read and write."""
