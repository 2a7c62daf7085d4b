"""What S2 prints, as S2 prints it, to be put beside what is made of it here."""
