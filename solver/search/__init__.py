"""A state, an objective and a budget in, the best solution found in that time out."""
