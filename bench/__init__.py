"""Side-by-side measurements."""
