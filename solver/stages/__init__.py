"""A state in, a solution in the stages of Thistlethwaite's chain out."""
