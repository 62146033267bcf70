// What a line that begins with a slash means.
import type { TextKey } from "@/i18n/translator";

/** The commands of the composer; `argument` is the text that names what may follow. */
export const SLASH_COMMANDS = [
  { name: "compact", description: "composer.commandCompact", argument: "composer.focusArgument" },
  { name: "full", description: "composer.commandFull" },
  { name: "compacted", description: "composer.commandCompacted" },
  { name: "new", description: "composer.commandNew" },
  { name: "stop", description: "composer.commandStop" },
] as const satisfies readonly { name: string; description: TextKey; argument?: TextKey }[];

export type SlashName = (typeof SLASH_COMMANDS)[number]["name"];

export type Parsed =
  | { kind: "command"; name: SlashName; argument: string }
  /** A slash and a word that is no command. */
  | { kind: "unknown"; word: string }
  /** More words than the command takes: they may be a message. */
  | { kind: "surplus"; name: SlashName }
  | { kind: "text"; text: string };

const COMMAND_LINE = /^[/／]([A-Za-z][\w-]*)(?:\s+([\s\S]*))?$/;
/** One line that would be a command without its first slash; pasted code with `//` comments is left alone. */
const ESCAPED_LINE = /^[/／]{2}[A-Za-z][\w-]*(?:[ \t]|$)(?!.*\n)/;

/**
 * Read what was written. `/compact` and `/compact the focus` are commands, in any case and with a full-width slash; `//text` is sent as
 * `/text`; a path such as `/usr/bin` is text.
 */
export function parseSlashCommand(raw: string): Parsed {
  const text = raw.trim();
  if (ESCAPED_LINE.test(text)) return { kind: "text", text: text.slice(1) };
  const [, word, argument = ""] = COMMAND_LINE.exec(text) ?? [];
  if (word === undefined) return { kind: "text", text };
  const command = SLASH_COMMANDS.find(({ name }) => name === word.toLowerCase());
  if (!command) return { kind: "unknown", word };
  if (argument && !("argument" in command)) return { kind: "surplus", name: command.name };
  return { kind: "command", name: command.name, argument: argument.trim() };
}

/** Return the commands that what is written may become; none once a space follows. */
export function matchingCommands(raw: string): (typeof SLASH_COMMANDS)[number][] {
  const typed = /^\s*[/／]([A-Za-z]*)$/.exec(raw)?.[1];
  return typed === undefined ? [] : SLASH_COMMANDS.filter(({ name }) => name.startsWith(typed.toLowerCase()));
}
