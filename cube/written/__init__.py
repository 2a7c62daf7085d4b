"""Texts of cubes in, 54 facelets out, and the mistakes that people make in such texts."""
