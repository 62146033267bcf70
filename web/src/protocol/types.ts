// The names of the wire that the page uses, taken from the generated schema.
import type { components } from "./openapi.gen";

type Schemas = components["schemas"];

export type Session = Schemas["SessionBody"];
export type HistoryPage = Schemas["HistoryPage"];
export type Agent = Schemas["AgentBody"];
export type AgentChange = Schemas["AgentChange"];
export type NewAgent = Schemas["NewAgent"];
export type Channel = Schemas["ChannelBody"];
export type ChannelChange = Schemas["ChannelChange"];
export type NewChannel = Schemas["NewChannel"];
export type ChannelTest = Schemas["ChannelTestBody"];
export type KnownModel = Schemas["ModelBody"];
export type Tool = Schemas["ToolBody"];

export type Entry = Schemas["EntryFrame"];
export type MessageEntry = Schemas["MessageEntry"];
export type CompactionEntry = Schemas["CompactionEntry"];
export type NoticeEntry = Schemas["NoticeEntry"];
export type Message = Schemas["MessageBody"];
export type MessagePart = Message["parts"][number];
export type ToolCallPart = Schemas["ToolCallPart"];

export type ServerFrame = Schemas["ServerFrame"];
export type ClientCommand = Schemas["ClientCommand"];
export type SessionSnapshot = Schemas["SessionSnapshot"];
export type TreePatch = Schemas["TreePatch"];
export type ContextUsage = Schemas["ContextUsage"];
export type Usage = Schemas["Usage"];
export type QueuedMessage = Schemas["QueuedMessage"];
export type CompactionTrigger = Schemas["CompactionStart"]["trigger"];

/** A command as the page writes it: the socket adds type-checked ids. */
export type Command = ClientCommand extends infer Each ? (Each extends { requestId: string } ? Omit<Each, "requestId"> : never) : never;

export type View = "compacted" | "full";
