// Sessions by when they were last changed, in the reader's days.
import type { TextKey } from "@/i18n/translator";
import type { Session } from "@/protocol/types";

export interface SessionGroup {
  title: TextKey;
  sessions: Session[];
}

/** Return the groups that are not empty; the order of the sessions stays. */
export function groupByTime(sessions: readonly Session[], now: Date): SessionGroup[] {
  const groups: (SessionGroup & { since: number })[] = [
    { title: "sessions.today", since: midnight(now, 0), sessions: [] },
    { title: "sessions.yesterday", since: midnight(now, 1), sessions: [] },
    { title: "sessions.lastDays", since: midnight(now, 7), sessions: [] },
    { title: "sessions.earlier", since: -Infinity, sessions: [] },
  ];
  for (const session of sessions) {
    const changed = new Date(session.updatedAt).getTime();
    groups.find(({ since }) => changed >= since)?.sessions.push(session);
  }
  return groups.filter((group) => group.sessions.length > 0).map(({ title, sessions: members }) => ({ title, sessions: members }));
}

/** Return how to write a moment in few letters: the time of these two days, the weekday of this week, else the date. */
export function shortTime(moment: Date, now: Date): Intl.DateTimeFormatOptions {
  const at = moment.getTime();
  if (at >= midnight(now, 1)) return { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  if (at >= midnight(now, 7)) return { weekday: "short" };
  const year = moment.getFullYear() === now.getFullYear() ? undefined : "2-digit";
  return { year, month: "numeric", day: "numeric" };
}

/** The calendar knows days of 23 and 25 hours. */
function midnight(now: Date, daysAgo: number): number {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime();
}
