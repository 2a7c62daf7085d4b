"""Machines that handle the cube: a rig file lists the moving parts and each action's effect."""
