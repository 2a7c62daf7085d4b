"""The 2×2×2 cube before a camera: its faces found, its colours decoded, a person guided."""
