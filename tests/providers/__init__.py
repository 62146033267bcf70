"""Tests of the model access."""
