"""What the page that calibrates asks for, a module a card."""
