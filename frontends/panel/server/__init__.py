"""Sockets and pictures of the panel, and what guards them: one ASGI application."""
