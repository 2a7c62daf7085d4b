"""A camera's name in, frames out: webcams, streams, videos and photos."""
