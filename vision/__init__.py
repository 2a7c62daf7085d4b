"""Frames in, facelets out: cameras, face finding, patch sampling, colours and decoding with confidence."""
