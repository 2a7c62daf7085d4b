"""Methods and states in, a table and a plot that compare the methods out."""
