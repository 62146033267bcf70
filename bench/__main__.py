"""Run every benchmark: `make bench`."""

from bench import compaction

if __name__ == "__main__":
    compaction.main()
