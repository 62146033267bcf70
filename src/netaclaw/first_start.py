"""What a fresh data folder gets, so that the first conversation and the first compaction work at once."""

from pydantic import SecretStr

from netaclaw.configuration import StoredConfiguration
from netaclaw.domain.agents import Agent, Channel, Vendor
from netaclaw.providers.known_models import known_model
from netaclaw.runtime.auxiliary import DEFAULT_AUXILIARY_KEY, DICTIONARY_TYPE
from netaclaw.sessions import ConfigStore
from netaclaw.settings import Settings

DICTIONARY_NAME = "NetaClaw配置"
DEFAULT_TOOLS = ("list_files", "read_file", "recall", "search_files", "todo")

_OFFLINE = Channel(id=0, name="Offline", vendor="offline", model="offline", window_tokens=128_000, is_auxiliary=True)
_VENDORS: tuple[tuple[str, str, Vendor, str], ...] = (
    ("openai_api_key", "OpenAI", "openai", "gpt-5.4"),
    ("anthropic_api_key", "Anthropic", "anthropic", "claude-sonnet-5"),
    ("deepseek_api_key", "DeepSeek", "deepseek", "deepseek-v4-pro"),
)
"""Setting, name, vendor and model of the channels that a key in the environment makes."""


async def prepare_first_start(settings: Settings, store: ConfigStore, configuration: StoredConfiguration) -> None:
    """Make channels, an agent and the dictionary's items where there are no channels and no agents yet."""
    if await store.channels.list() or await store.agents.list():
        return
    offline = await configuration.add_channel(_OFFLINE)
    for setting, name, vendor, model in _VENDORS:
        key: SecretStr | None = getattr(settings, setting)
        if key is not None:
            await configuration.add_channel(_channel(name, vendor, model, key.get_secret_value()))
    await store.dictionary.add_type(DICTIONARY_TYPE, DICTIONARY_NAME)
    await store.dictionary.set(DICTIONARY_TYPE, DEFAULT_AUXILIARY_KEY, str(offline.id))
    await store.agents.add(Agent(id=0, name="NetaClaw", channel_id=offline.id, tools=DEFAULT_TOOLS))


def _channel(name: str, vendor: Vendor, model: str, key: str) -> Channel:
    known = known_model(model)
    window, output = (known.window_tokens, known.max_output_tokens) if known else (None, None)
    return Channel(
        id=0, name=name, vendor=vendor, model=model, api_key=key, window_tokens=window, max_output_tokens=output, is_auxiliary=True
    )
