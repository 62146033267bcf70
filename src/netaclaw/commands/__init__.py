"""The commands of the server: serve, import, export, migrate, doctor. They may build the whole house; the others may not."""
