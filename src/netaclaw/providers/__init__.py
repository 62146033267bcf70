"""Access to models: one file per API family, imported only when a channel needs it."""
