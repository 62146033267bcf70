// A channel while it is typed: from the server's form and back, and what is wrong with it. Pure.
import { knownModel, vendorFacts, type Vendor } from "./vendors";
import type { TextKey } from "@/i18n/translator";
import type { Channel, ChannelChange, KnownModel, NewChannel } from "@/protocol/types";

export interface ChannelDraft {
  vendor: Vendor;
  name: string;
  baseUrl: string;
  /** Empty keeps the stored one. */
  apiKey: string;
  isKeyRemoved: boolean;
  model: string;
  /** Null: what is known of the model. */
  windowTokens: number | null;
  maxOutputTokens: number | null;
  isAuxiliary: boolean;
  isEnabled: boolean;
}

export type ChannelField = "name" | "baseUrl" | "apiKey" | "model";
export type ChannelFaults = Partial<Record<ChannelField, TextKey>>;

/** Return the draft of a new channel. */
export function emptyDraft(vendor: Vendor, takenNames: readonly string[]): ChannelDraft {
  return {
    vendor,
    name: freeName(vendor, takenNames),
    baseUrl: "",
    apiKey: "",
    isKeyRemoved: false,
    model: vendor === "offline" ? "offline" : "",
    windowTokens: null,
    maxOutputTokens: null,
    isAuxiliary: false,
    isEnabled: true,
  };
}

/** Return the draft of a stored channel; limits that are the model's known ones count as not given. */
export function draftOf(channel: Channel, models: readonly KnownModel[]): ChannelDraft {
  const known = knownModel(channel.model, models);
  return {
    vendor: channel.vendor as Vendor,
    name: channel.name,
    baseUrl: channel.baseUrl ?? "",
    apiKey: "",
    isKeyRemoved: false,
    model: channel.model,
    windowTokens: channel.windowTokens === known?.windowTokens ? null : channel.windowTokens,
    maxOutputTokens: channel.maxOutputTokens === known?.maxOutputTokens ? null : channel.maxOutputTokens,
    isAuxiliary: channel.isAuxiliary,
    isEnabled: channel.isEnabled,
  };
}

/** Return a name that no other channel has. */
export function freeName(vendor: Vendor, takenNames: readonly string[]): string {
  const { name } = vendorFacts(vendor);
  if (!name || !takenNames.includes(name)) return name;
  let number = 2;
  while (takenNames.includes(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}

/** Return what the server would refuse, by field. */
export function faultsOf(draft: ChannelDraft, stored: Channel | null): ChannelFaults {
  const faults: ChannelFaults = {};
  const { baseUrl, needsKey } = vendorFacts(draft.vendor);
  const url = draft.baseUrl.trim();
  if (!draft.name.trim()) faults.name = "channels.nameMissing";
  else if (draft.name.length > 200) faults.name = "channels.tooLong";
  if (!draft.model.trim()) faults.model = "channels.modelMissing";
  else if (draft.model.length > 200) faults.model = "channels.tooLong";
  if (url && !isWebAddress(url)) faults.baseUrl = "channels.baseUrlInvalid";
  else if (!url && baseUrl === null && draft.vendor !== "offline") faults.baseUrl = "channels.baseUrlMissing";
  if (/[^\x20-\x7e]/.test(draft.apiKey.trim())) faults.apiKey = "channels.keyInvalid";
  else if (needsKey && !draft.apiKey.trim() && !stored?.hasKey && stored?.vendor !== draft.vendor) faults.apiKey = "channels.keyMissing";
  return faults;
}

/** Return the body that makes this channel. */
export function newChannelOf(draft: ChannelDraft): NewChannel {
  return {
    name: draft.name.trim(),
    vendor: draft.vendor,
    model: draft.model.trim(),
    baseUrl: draft.baseUrl.trim() || null,
    apiKey: draft.apiKey.trim() || null,
    windowTokens: draft.windowTokens,
    maxOutputTokens: draft.maxOutputTokens,
    isAuxiliary: draft.isAuxiliary,
    isEnabled: draft.isEnabled,
  };
}

/** Return only what differs from `before`; another model goes with both limits, since the server forgets the old ones. */
export function changesOf(draft: ChannelDraft, before: ChannelDraft): ChannelChange {
  const now = newChannelOf(draft);
  const then = newChannelOf(before);
  const names = (Object.keys(now) as (keyof NewChannel)[]).filter((name) => name !== "apiKey" && now[name] !== then[name]);
  if (names.includes("model")) names.push("windowTokens", "maxOutputTokens");
  const changes: ChannelChange = Object.fromEntries(names.map((name) => [name, now[name]]));
  if (now.apiKey) changes.apiKey = now.apiKey;
  else if (draft.isKeyRemoved) changes.apiKey = null;
  return changes;
}

function isWebAddress(url: string): boolean {
  return url.length <= 2_000 && /^https?:\/\/[^\s/]/.test(url) && URL.canParse(url);
}
