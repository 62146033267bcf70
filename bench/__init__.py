"""Benchmarks: each prints ratios against a named baseline, measured in one run on one machine."""
