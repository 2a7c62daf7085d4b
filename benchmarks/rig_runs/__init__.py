"""Whole runs of every built-in rig on its virtual machine."""
