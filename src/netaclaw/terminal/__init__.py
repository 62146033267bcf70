"""What a person sees in a terminal: streams, the progress line, the report of a compaction and of an inspection."""
