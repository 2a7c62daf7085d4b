"""The search that proves a solution shortest, and the compiled code that fills its table."""
