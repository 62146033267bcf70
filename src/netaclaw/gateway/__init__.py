"""The door: the socket, the HTTP routes, the page, and who may come in."""
