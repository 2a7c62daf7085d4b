"""A Raspberry Pi without one: its PWM pins, its ribbon camera, and a machine on them."""
