"""The web panel: pages, sockets and what guards them; needs the extra `web`."""
