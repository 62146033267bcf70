"""One turn, from the user's message to the agent's answer, with all compactions on the way."""
