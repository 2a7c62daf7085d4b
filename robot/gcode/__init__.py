"""Controllers that speak G-code, as boards: our protocol to the link, lines to the serial port."""
