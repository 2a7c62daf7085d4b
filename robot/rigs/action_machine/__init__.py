"""Machines that handle the cube: a rig file says what moves, and what each action does."""
