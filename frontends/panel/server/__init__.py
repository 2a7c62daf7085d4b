"""Sockets and pictures of the panel, and their protection: one ASGI application."""
