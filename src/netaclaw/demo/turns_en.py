"""The user's side of the English conversation: a developer prepares a change of NetaClaw and reads how compaction works today."""

from netaclaw.demo.script import Script

ENGLISH = Script(
    language="en",
    title="Plan: a compaction threshold per session",
    turns=(
        "I am preparing a change of NetaClaw: the threshold of compaction should be settable per session, not only per agent. You only "
        "read, I do the editing. Rules: never touch compaction/prompts, keep the public names of compaction/__init__.py, add no new "
        "dependency. Begin with list_files runtime",
        "The goal: each session may override the threshold, the agent's value stays the default, and nobody who leaves it alone notices "
        "anything. Done means: merged and described in the release note before Christmas.",
        "The list for it: todo\n```\n[>] understand the order of the four phases\n[ ] find where the threshold is computed\n"
        "[ ] see what a session stores of its own today\n[ ] decide where the new field lives\n[ ] plan the migration\n[ ] list the tests\n```",
        "First the order of the phases: read_file compaction/pipeline.py 1-115",
        "The pipeline asks phase 2 for the cut. read_file compaction/phase2_cut.py 1-110 and then search_files protect_first_n in compaction",
        "Decision: the new setting changes only when a compaction starts, never how it cuts, so phase2_cut.py stays as it is. "
        "The number itself: read_file context/budget.py 86-110",
        "So threshold_of takes a percentage of the window, and the reply and a margin always fit behind it. The places that read the "
        "agent's value: search_files compaction_threshold_percent in runtime",
        "The properties next to it: read_file runtime/view.py 60-100",
        "Good, two places compute it, the property and _threshold in runtime/view.py, and both must agree afterwards. Decision: "
        "_threshold gets the session's value as an argument, the property calls the same function. The list now: todo\n```\n"
        "[x] understand the order of the four phases\n[x] find where the threshold is computed: threshold_of and _threshold\n"
        "[>] see what a session stores of its own today\n[ ] decide where the new field lives\n[ ] plan the migration\n[ ] list the tests\n```",
        "A session has its own switch for automatic compaction already. search_files is_auto_compaction in sessions",
        "In full: read_file sessions/compaction_state.py 1-40",
        "That file is called compaction_state_store.py. read_file sessions/compaction_state_store.py 16-37",
    ),
    further=(
        "Decision: the new field is called threshold_percent and lives in CompactionState, beside is_auto_compaction; None inherits the "
        "agent's value, as it does there. Jonas asked for a table of its own; I prefer one row per session.",
        "The allowed values are checked at the door: search_files multiple_of in gateway",
        "The API takes 30 to 95 in steps of 5 for agents. Decision: sessions take exactly the same range, and the check is written once. "
        "Wei reviews the API on Thursday, 3 December, so the names must be final by Wednesday evening.",
        "The frame that carries the number to the page: search_files threshold_percent in runtime/frames.py and then search_files "
        "threshold_tokens in domain/events.py",
        "The frame has thresholdPercent and thresholdTokens already, so the protocol does not change. Decision: no new frame; "
        "token_update is sent after the setting was changed, or the tick of the bar would stand at the old place.",
        "When somebody lowers the threshold below the present size, nothing happens at once, I think, and the next request compacts. "
        "The callers: search_files ensure_fits in runtime",
        "ensure_fits is called before every request and nowhere else, that settles it. Decision: lowering the threshold never starts a "
        "compaction by itself, and docs/compaction.md must say so in one sentence.",
        "One risk: somebody sets 30 % in a small window, and every request compacts. search_files MAX_STRIKES in runtime/thrash.py",
        "Two useless compactions block the automatic ones, so the worst case is bounded. I still want a warning on the page under 40 % "
        "when the window has fewer than 16,000 tokens. The text of the warning must be short: at most 90 characters.",
        "Forks are new sessions. Decision: a fork copies the value of its parent once and is independent "
        "afterwards. Undoing a compaction must not change the setting.",
        "The migration: list_files sessions/migrations",
        "There is one migration so far, v0001_first_tables.py. Decision: v0002 adds the nullable column threshold_percent to "
        "compaction_state, without a default, so old rows need no rewrite. It has to run on SQLite and on PostgreSQL.",
        "For the release note: imported sessions have no row in compaction_state, so they inherit. Export must not carry the setting, "
        "because it belongs to an installation. Ada translates the note; she needs it by Friday, 4 December, 12:00.",
        "Tests, first part: the store keeps the value over a restart; None inherits; 29, 96 and 52 are refused; the tick moves; a lowered "
        "threshold compacts at the next request, not before. Each of them must be a test with a sentence as its name.",
        "Tests, second part: a fork copies the value, a change in the fork leaves the parent alone; an undo keeps it; a session of "
        "another agent is not touched. No test may wait for a clock.",
        "One detail of the audit that I mention in the review: read_file compaction/audit.py 1-33",
        "Wei's first remark: 'percent' alone says too little in the API. Decision: the API calls it compactionThresholdPercent, as "
        "for agents; only the column is threshold_percent. The remark on the order of fields I do not take up.",
        "Wei's second remark: the setting should be in the menu of the session, not on the agent's page. Agreed, it opens from the "
        "bar as well. The slider must be usable by keyboard, and its label has to name the inherited value.",
        "Open for Jonas: whether a viewer without rights may see the threshold. I assume yes, since the bar shows the tick anyway. "
        "Until he answers, the value is sent to everybody who may read the session.",
        "Order of the work: first the store with its migration, then runtime/view.py, then the API, the page last. Every step is one "
        "commit and must pass make check alone. I begin on Monday, 7 December.",
        "If the new column causes trouble, we turn the feature off by ignoring the value in _threshold; the column stays. The way back "
        "needs no second migration. Put that into docs/operations.md in three sentences.",
        "Figures that I promised to Ada for the note: default 70 %, range 30 to 95 %, step 5 %, cooldown after failures 30, 60, 300 and "
        "900 seconds. Nothing of these changes.",
    ),
    plan="The list before I start: todo\n```\n[x] understand the order of the four phases\n"
    "[x] find where the threshold is computed: threshold_of and _threshold\n"
    "[x] see what a session stores of its own today: CompactionState\n[x] decide where the new field lives: threshold_percent in "
    "CompactionState\n[>] plan the migration v0002\n[ ] write the sentence in docs/compaction.md\n[ ] list the tests\n```",
    last="And how a turn asks for its next request: read_file runtime/turn.py 1-{last_line}",
)
