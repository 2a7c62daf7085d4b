"""The 2×2×2 cube before a camera: finding its faces, decoding its colours, guiding the user."""
