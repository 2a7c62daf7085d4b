"""The machine in use all day: presses, exchanged cubes, sounds, a show of its own."""
