"""The settings of the server, read once from the environment; options of the command line win."""

from pathlib import Path
from typing import Any

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from netaclaw.errors import SettingsError

DATABASE_FILE = "netaclaw.db"


class Settings(BaseSettings):
    """Where the server lives and what it listens to. The environment's names are NETACLAW_DATA_DIR and so on."""

    model_config = SettingsConfigDict(env_prefix="NETACLAW_", frozen=True, extra="forbid", env_ignore_empty=True, populate_by_name=True)

    data_dir: Path = Field(default_factory=lambda: Path.home() / ".netaclaw")
    """Folder of the database, the master key and files of sessions."""
    database_url: str | None = None
    """`sqlite:///FILE`; None is `netaclaw.db` in the data folder."""
    host: str = "127.0.0.1"
    port: int = Field(default=8765, ge=0, le=65_535)
    """0 takes a free one."""
    master_key: SecretStr | None = None
    """32 bytes in base64 or hexadecimal digits; None is the file `master.key` in the data folder."""
    max_frame_bytes: int = Field(default=16_000_000, ge=65_536, le=256_000_000)
    """Largest frame of the socket and largest body of a request."""
    send_timeout_seconds: float = Field(default=10.0, gt=0)
    """A browser that takes no frame for so long is cut off."""
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY")
    """Makes a channel at the first start, as do the next two."""
    anthropic_api_key: SecretStr | None = Field(default=None, validation_alias="ANTHROPIC_API_KEY")
    deepseek_api_key: SecretStr | None = Field(default=None, validation_alias="DEEPSEEK_API_KEY")

    @property
    def database(self) -> str | Path:
        """What to open: the URL, or the file in the data folder."""
        return self.database_url or self.data_dir / DATABASE_FILE


def read_settings(**options: Any) -> Settings:
    """Return the settings; `options` that are not None win over the environment. Raises SettingsError."""
    try:
        settings = Settings(**{name: value for name, value in options.items() if value is not None})
    except ValidationError as error:
        faults = "; ".join(f"{_variable(fault['loc'])}: {fault['msg'][:1].lower()}{fault['msg'][1:]}" for fault in error.errors())
        raise SettingsError(f"{faults}; correct it in the environment or on the command line") from None
    return settings.model_copy(update={"data_dir": settings.data_dir.expanduser().absolute()})


def _variable(place: tuple[int | str, ...]) -> str:
    name = str(place[0]).upper() if place else ""
    return name if name.endswith("_API_KEY") else f"NETACLAW_{name}"
