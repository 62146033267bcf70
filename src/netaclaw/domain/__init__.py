"""Plain frozen data that every other folder speaks in."""
