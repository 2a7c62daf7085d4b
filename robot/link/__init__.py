"""Messages in, what became of them out: the host's end of the protocol, on a port."""
