// How the arguments of a tool call are shown.

const LINE_CHARS = 120;

/** Return the arguments as indented JSON, or as they are where they are none. */
export function prettyArguments(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** Return the first short value, which tells most about a call: a path, a query, a command. */
export function mainArgument(text: string): string {
  const value = parsed(text);
  if (typeof value !== "object" || value === null) return oneLine(text === "{}" ? "" : text);
  const first = Object.values(value).find((each) => ["string", "number"].includes(typeof each));
  return oneLine(first === undefined ? (Object.keys(value).length ? JSON.stringify(value) : "") : String(first));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS - 1)}…` : line;
}
