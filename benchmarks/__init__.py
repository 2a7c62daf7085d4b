"""Measurements of what we claim, and campaigns that try to break it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""
