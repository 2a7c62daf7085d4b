"""Runs for others: bundles to attach to a report, and the format of csTimer."""
