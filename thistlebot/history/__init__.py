"""Runs of the past: lists and records of them, looked at again, decided again, handed on."""
