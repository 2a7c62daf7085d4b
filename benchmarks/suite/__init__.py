"""The tests themselves, measured: mutants, bugs of the past, many runs, and every sentence."""
