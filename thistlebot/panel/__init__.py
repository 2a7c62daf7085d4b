"""The web panel: the session's events on a page, and commands back (extra ``web``)."""
