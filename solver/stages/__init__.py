"""A state in, a solution told in the stages of Thistlethwaite's chain out."""
