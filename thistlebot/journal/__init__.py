"""What must outlive the program in, the same after a crash out."""
