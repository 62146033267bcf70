"""Keeping secrets: the master key, and what is encrypted with it."""

from netaclaw.security.master_key import load_master_key
from netaclaw.security.sealed import KeySeal

__all__ = ["KeySeal", "load_master_key"]
