"""The migrations of the database, run by `sessions.database.migrate`."""
