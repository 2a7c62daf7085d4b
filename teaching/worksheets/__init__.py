"""A name in, a worksheet out: question, experiment, hint, and answers that are checked."""
