// How full the context is, in levels and parts: all from the one number of the server.
import type { Activity } from "../chatState";
import type { ContextUsage } from "@/protocol/types";

export type Level = "ok" | "warn" | "danger" | "compacting";

const DANGER_PERCENT = 90;

/** Return the level of the bar: green below the threshold, orange from there, red from 90 % of the window. */
export function levelOf(context: ContextUsage, activity: Activity): Level {
  if (activity === "compacting") return "compacting";
  if ((context.percent ?? 0) >= DANGER_PERCENT) return "danger";
  return context.usedTokens >= context.thresholdTokens ? "warn" : "ok";
}

export interface Part {
  name: "system" | "user" | "summary" | "assistant" | "tools" | "results";
  tokens: number;
}

export interface Group {
  name: "input" | "output" | "tools" | "other";
  tokens: number;
  parts: Part[];
}

const GROUPS: [Exclude<Group["name"], "other">, Part["name"][]][] = [
  ["input", ["system", "summary", "user"]],
  ["output", ["assistant"]],
  ["tools", ["tools", "results"]],
];

/** Return what the context is made of. The groups add up to `usedTokens`: what a newer server names stands under `other`. */
export function groupsOf(context: ContextUsage): Group[] {
  const tokensOf = (name: string) => context.breakdown[name] ?? 0;
  const groups: Group[] = GROUPS.map(([name, names]) => {
    const parts = names.map((part) => ({ name: part, tokens: tokensOf(part) }));
    return { name, parts, tokens: sumOf(parts) };
  });
  const other = context.usedTokens - sumOf(groups);
  return other > 0 ? [...groups, { name: "other", parts: [], tokens: other }] : groups;
}

function sumOf(items: readonly { tokens: number }[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}
