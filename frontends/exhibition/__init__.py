"""The machine in use all day: presses, exchanged cubes, sounds, automatic shows."""
