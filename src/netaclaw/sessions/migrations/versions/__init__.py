"""One file for each version of the tables, `vNNNN_what_changes.py`, each naming the one before it."""
