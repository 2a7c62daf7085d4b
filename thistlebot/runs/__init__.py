"""What happens in a run: its events, its clock, its record for the journal."""
