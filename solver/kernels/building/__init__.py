"""Move tables in, distance tables and their packed forms out."""
