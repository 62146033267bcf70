"""Parts of the summariser without a model: what may go into a summary, and the choice among it."""
