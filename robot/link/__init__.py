"""Messages in, their fate out: the host's end of the protocol, on a port."""
