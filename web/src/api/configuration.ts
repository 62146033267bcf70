// Agents, channels and system settings over HTTP.
import { request } from "./http";
import type { Agent, AgentChange, Channel, ChannelChange, ChannelTest, KnownModel, NewAgent, NewChannel, Tool } from "@/protocol/types";

const SETTINGS = "/api/dictionary/netaclaw";
const DEFAULT_AUXILIARY = "default_auxiliary_channel_id";

export const listAgents = () => request<{ agents: Agent[] }>("GET", "/api/agents").then((body) => body.agents);
export const createAgent = (agent: NewAgent) => request<Agent>("POST", "/api/agents", agent);
export const changeAgent = (id: number, change: AgentChange) => request<Agent>("PATCH", `/api/agents/${id}`, change);
export const deleteAgent = (id: number) => request<undefined>("DELETE", `/api/agents/${id}`);

export const listChannels = () => request<{ channels: Channel[] }>("GET", "/api/channels").then((body) => body.channels);
export const createChannel = (channel: NewChannel) => request<Channel>("POST", "/api/channels", channel);
export const changeChannel = (id: number, change: ChannelChange) => request<Channel>("PATCH", `/api/channels/${id}`, change);
export const deleteChannel = (id: number) => request<undefined>("DELETE", `/api/channels/${id}`);
/** Make one tiny request to the model; it may take as long as the model does. */
export const testChannel = (id: number) => request<ChannelTest>("POST", `/api/channels/${id}/test`);

export const listModels = () => request<{ models: KnownModel[] }>("GET", "/api/models").then((body) => body.models);
export const listTools = () => request<{ tools: Tool[] }>("GET", "/api/tools").then((body) => body.tools);

/** Return the id of the channel that writes summaries where an agent names none; null where none is set. */
export async function readDefaultAuxiliary(): Promise<number | null> {
  const { types } = await request<{ types: { key: string; items: { key: string; value: string }[] }[] }>("GET", "/api/dictionary");
  const items = types.find((type) => type.key === "netaclaw")?.items ?? [];
  const value = items.find((item) => item.key === DEFAULT_AUXILIARY)?.value;
  return value ? Number(value) : null;
}

export function setDefaultAuxiliary(channelId: number | null): Promise<void> {
  return request("PUT", `${SETTINGS}/${DEFAULT_AUXILIARY}`, { value: channelId === null ? null : String(channelId) });
}
