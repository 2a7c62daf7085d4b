"""The web panel: pages, sockets and their protection; needs the extra `web`."""
