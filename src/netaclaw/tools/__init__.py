"""The tools of an agent: one file each, what they need comes in as arguments."""
