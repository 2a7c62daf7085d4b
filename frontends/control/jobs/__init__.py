"""What each command does with the machine: one function a command, run by the machine's thread."""
