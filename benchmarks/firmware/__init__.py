"""The firmware's goals in the AVR simulator: motion, safety, servo pulses."""
