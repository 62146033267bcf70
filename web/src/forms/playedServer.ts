// A server that tests play: the browser's `fetch`, the network's edge, answered from memory.
import { vi } from "vitest";

import type { Agent, Channel, ChannelTest, KnownModel, Tool } from "@/protocol/types";

export interface PlayedServer {
  channels: Channel[];
  agents: Agent[];
  defaultAuxiliaryId: number | null;
  test: ChannelTest;
  /** The next request that changes something is refused with this; then it is forgotten. */
  refusal: { status: number; code: string; message: string } | null;
  /** Every request that is no reading. */
  requests: { method: string; path: string; body: unknown }[];
}

const models: KnownModel[] = [
  { name: "gpt-5.4", windowTokens: 1_050_000, maxOutputTokens: 128_000 },
  { name: "gpt-4o", windowTokens: 128_000, maxOutputTokens: 16_384 },
  { name: "claude-sonnet-5", windowTokens: 1_000_000, maxOutputTokens: 128_000 },
];
const tools: Tool[] = [
  { name: "read_file", description: "Read a file.", parameters: {} },
  { name: "todo", description: "Keep a list.", parameters: {} },
];

/** Return a channel, with what a test does not care about filled in. */
export function channel(given: Partial<Channel> & { id: number }): Channel {
  return {
    name: `Channel ${given.id}`,
    vendor: "openai_compatible",
    model: "my-model",
    baseUrl: "http://127.0.0.1:8000/v1",
    hasKey: false,
    windowTokens: 128_000,
    maxOutputTokens: 8_192,
    isAuxiliary: true,
    isEnabled: true,
    ...given,
  };
}

export const offline = channel({
  id: 1,
  name: "Offline",
  vendor: "offline",
  model: "offline",
  baseUrl: null,
  maxOutputTokens: null,
});

/** Return an agent, as the server would with nothing set. */
export function agent(given: Partial<Agent> & { id: number }): Agent {
  return {
    name: `Agent ${given.id}`,
    prompt: "",
    channelId: 1,
    thinkingLevel: "off",
    tools: ["read_file", "todo"],
    auxiliaryModelChannelId: null,
    auxiliaryMode: "inherit",
    compactionStrategy: "lossy",
    compactionThresholdPercent: null,
    compactionProtectFirstN: null,
    isAutoCompaction: true,
    useMainModelWhenAuxiliaryFails: false,
    workspace: null,
    maxSteps: 50,
    ...given,
  };
}

/** Take the place of the browser's `fetch` until the test ends. */
export function playServer(given: Partial<PlayedServer> = {}): PlayedServer {
  const server: PlayedServer = {
    channels: [offline],
    agents: [agent({ id: 1, name: "NetaClaw" })],
    defaultAuxiliaryId: 1,
    test: { ok: true, message: "my-model answers", latencyMs: 120 },
    refusal: null,
    requests: [],
    ...given,
  };
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body }: RequestInit = {}) => {
    const parsed: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
    if (method !== "GET") server.requests.push({ method, path, body: parsed });
    const { refusal } = server;
    if (refusal && method !== "GET") {
      server.refusal = null;
      return Response.json({ code: refusal.code, message: refusal.message }, { status: refusal.status });
    }
    return answer(server, method, path, parsed);
  });
  return server;
}

function answer(server: PlayedServer, method: string, path: string, body: unknown): Response {
  const [, name = "", id = "", action = ""] = /^\/api\/(\w+)\/?(\w+)?\/?(\w+)?/.exec(path) ?? [];
  if (name === "models") return Response.json({ models });
  if (name === "tools") return Response.json({ tools });
  if (name === "openapi") return Response.json({ info: { version: "1.2.3" } });
  if (name === "dictionary") return dictionary(server, method, body);
  if (action === "test") return Response.json(server.test);
  if (name === "channels") {
    return collection(
      method,
      Number(id),
      server.channels,
      (rows) => (server.channels = rows),
      "channels",
      (newId) => {
        const { apiKey, ...rest } = body as Record<string, unknown>;
        const key = apiKey === undefined ? {} : { hasKey: apiKey !== null };
        return { ...channel({ id: newId }), ...server.channels.find((row) => row.id === newId), ...rest, ...key };
      },
    );
  }
  return collection(
    method,
    Number(id),
    server.agents,
    (rows) => (server.agents = rows),
    "agents",
    (newId) => ({
      ...agent({ id: newId }),
      ...server.agents.find((row) => row.id === newId),
      ...(body as object),
    }),
  );
}

function collection<Row extends { id: number }>(
  method: string,
  id: number,
  rows: Row[],
  put: (rows: Row[]) => void,
  name: string,
  make: (id: number) => Row,
): Response {
  if (method === "GET") return Response.json({ [name]: rows });
  if (method === "DELETE") {
    put(rows.filter((row) => row.id !== id));
    return new Response(null, { status: 204 });
  }
  const made = make(id || Math.max(0, ...rows.map((row) => row.id)) + 1);
  put([...rows.filter((row) => row.id !== made.id), made]);
  return Response.json(made);
}

function dictionary(server: PlayedServer, method: string, body: unknown): Response {
  if (method === "PUT") {
    const { value: wanted } = body as { value: string | null };
    server.defaultAuxiliaryId = wanted === null ? null : Number(wanted);
  }
  const value = server.defaultAuxiliaryId;
  const items = value === null ? [] : [{ key: "default_auxiliary_channel_id", value: String(value) }];
  const type = { key: "netaclaw", name: "NetaClaw", items };
  return Response.json(method === "PUT" ? type : { types: [type] });
}
