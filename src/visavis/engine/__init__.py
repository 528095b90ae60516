"""Computer players and analysis. The engine enters a match as a seat, like a person."""
