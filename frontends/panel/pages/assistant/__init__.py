"""The first steps: from nothing to a verified solve."""
