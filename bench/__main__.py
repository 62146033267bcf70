"""Run every benchmark: `make bench`."""

from bench import compaction, sessions, streaming, trigger

if __name__ == "__main__":
    for number, benchmark in enumerate((compaction, sessions, trigger, streaming)):
        if number:
            print(flush=True)
        benchmark.main()
