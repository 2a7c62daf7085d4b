"""Verbs for the machine: its board, its devices, the kinds of rigs."""
