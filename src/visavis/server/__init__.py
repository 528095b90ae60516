"""The server: HTTP, WebSocket, storage, fan-out. The only I/O. Knows no game."""
