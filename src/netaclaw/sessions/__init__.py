"""The session tree and all else that outlives the process, in SQLite."""

from netaclaw.sessions.appending import AT_LEAF, NewEntry
from netaclaw.sessions.calibration_store import Calibration, CalibrationStore
from netaclaw.sessions.compaction_state_store import CompactionState, CompactionStateStore
from netaclaw.sessions.config_store import ConfigStore
from netaclaw.sessions.database import current_version, migrate, newest_version, open_database
from netaclaw.sessions.payload_json import payload_from_json, payload_to_json
from netaclaw.sessions.queue_store import QueuedCommand, QueueStore
from netaclaw.sessions.run_store import Run, RunStore
from netaclaw.sessions.store import SessionStore
from netaclaw.sessions.tree import ContextRead, Replacements

__all__ = [
    "AT_LEAF",
    "Calibration",
    "CalibrationStore",
    "CompactionState",
    "CompactionStateStore",
    "ConfigStore",
    "ContextRead",
    "NewEntry",
    "QueueStore",
    "QueuedCommand",
    "Replacements",
    "Run",
    "RunStore",
    "SessionStore",
    "current_version",
    "migrate",
    "newest_version",
    "open_database",
    "payload_from_json",
    "payload_to_json",
]
