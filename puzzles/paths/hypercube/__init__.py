"""The 3×3×3×3, split into three layers, each of which is then solved like a 3×3×3 cube."""
