"""What the model sees: the context computed from the path, its size, the threshold and the system prompt."""
