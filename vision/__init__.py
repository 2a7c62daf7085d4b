"""Frames in, facelets out: cameras, face finding, sampling, colours, decoding with confidence."""
