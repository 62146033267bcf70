"""The page in a real browser, before the real server; only the model endpoints are fakes that speak the real wire format."""
