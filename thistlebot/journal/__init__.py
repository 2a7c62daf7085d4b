"""What must outlive the program, the same after a crash; lists and sums of past runs; bundles."""
