"""The jobs: one function per command, run by the machine's thread."""
