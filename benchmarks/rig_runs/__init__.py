"""Whole runs of every shipped rig on its virtual machine."""
