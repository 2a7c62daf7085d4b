"""Move tables in, distance tables and what is kept of them out."""
