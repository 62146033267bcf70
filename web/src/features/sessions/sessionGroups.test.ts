// Groups of sessions by time.
import { describe, expect, it } from "vitest";

import { aSession } from "./playedSessions";
import { groupByTime, shortTime } from "./sessionGroups";

const now = new Date(2026, 11, 9, 15, 30);
const at = (...[month, day, hour, year = 2026]: [number, number, number, number?]) => new Date(year, month - 1, day, hour);
const session = (id: number, moment: Date) => aSession(id, { updatedAt: moment.toISOString() });

describe("the groups of the list", () => {
  it("begin at the reader's midnights and keep the order", () => {
    const sessions = [
      session(1, at(12, 9, 0)),
      session(2, at(12, 8, 23)),
      session(3, at(12, 8, 0)),
      session(4, at(12, 7, 23)),
      session(5, at(12, 2, 0)),
      session(6, at(12, 1, 23)),
    ];
    const groups = groupByTime(sessions, now).map(({ title, sessions: members }) => [title, members.map(({ id }) => id)]);
    expect(groups).toEqual([
      ["sessions.today", [1]],
      ["sessions.yesterday", [2, 3]],
      ["sessions.lastDays", [4, 5]],
      ["sessions.earlier", [6]],
    ]);
  });

  it("leave out those without sessions", () => {
    expect(groupByTime([session(1, at(1, 1, 0, 2020))], now).map(({ title }) => title)).toEqual(["sessions.earlier"]);
    expect(groupByTime([], now)).toEqual([]);
  });

  it("take a moment of a fast server clock for today", () => {
    expect(groupByTime([session(1, at(12, 9, 16))], now)[0]?.title).toBe("sessions.today");
  });
});

describe("the short time", () => {
  const write = (moment: Date, language: string) => new Intl.DateTimeFormat(language, shortTime(moment, now)).format(moment);

  it("is the clock's for two days, then the weekday, then the date", () => {
    expect([at(12, 9, 0), at(12, 8, 9), at(12, 5, 9), at(11, 3, 9), at(11, 3, 9, 2025)].map((moment) => write(moment, "en"))).toEqual([
      "00:00",
      "09:00",
      "Sat",
      "11/3",
      "11/3/25",
    ]);
    expect([at(12, 5, 9), at(11, 3, 9)].map((moment) => write(moment, "zh-CN"))).toEqual(["周六", "11/3"]);
  });
});
