"""Run every benchmark: `make bench`."""

from bench import compaction, sessions

if __name__ == "__main__":
    compaction.main()
    print()
    sessions.main()
