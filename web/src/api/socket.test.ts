// The connection against a server that the test plays: WebSocket is the network's edge.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { openSocket, type Socket } from "./socket";

class PlayedConnection extends EventTarget {
  static readonly CONNECTING = 0;
  static all: PlayedConnection[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];

  constructor(readonly url: string) {
    super();
    PlayedConnection.all.push(this);
  }

  send(text: string) {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }

  close() {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }

  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  say(frame: object) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }
}

let socket: Socket;

const connection = () => {
  const newest = PlayedConnection.all.at(-1);
  if (!newest) throw new Error("nothing has connected");
  return newest;
};

const subscription = (revision?: number) => ({ sessionId: 1, revision: () => revision, onResume: vi.fn() });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", PlayedConnection);
  PlayedConnection.all = [];
  socket = openSocket("ws://server/ws");
});

afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function breakAndComeBack() {
  connection().close();
  await vi.advanceTimersByTimeAsync(10_000);
  connection().open();
}

describe("the socket", () => {
  it("answers a command with the result of its acknowledgement", async () => {
    connection().open();
    const answer = socket.send({ type: "stop", sessionId: 1 }, "r1");
    connection().say({ type: "ack", requestId: "r1", result: { stopped: true } });
    expect(await answer).toEqual({ stopped: true });
  });

  it("turns a refusal into an error with its code", async () => {
    connection().open();
    const answer = socket.send({ type: "stop", sessionId: 1 }, "r1");
    connection().say({ type: "error", requestId: "r1", code: "busy", message: "later" });
    await expect(answer).rejects.toMatchObject({ code: "busy", message: "later" });
  });

  it("keeps a message that is written while there is no connection, and sends it once there is", async () => {
    const answer = socket.send({ type: "chat", sessionId: 1, text: "hi", images: [] }, "r1");
    expect(connection().sent).toEqual([]);
    connection().open();
    expect(connection().sent).toMatchObject([{ type: "chat", text: "hi", requestId: "r1" }]);
    connection().say({ type: "ack", requestId: "r1" });
    expect(await answer).toEqual({});
  });

  it("repeats an unanswered message with the same id after a break, but no other command", async () => {
    connection().open();
    void socket.send({ type: "chat", sessionId: 1, text: "hi", images: [] }, "r1");
    const lost = socket.send({ type: "compact", sessionId: 1 }, "r2");
    const refused = expect(lost).rejects.toMatchObject({ code: "unreachable" });
    await breakAndComeBack();
    await refused;
    expect(connection().sent).toMatchObject([{ type: "chat", requestId: "r1" }]);
    expect(PlayedConnection.all.length).toBeGreaterThan(1);
  });

  it("subscribes with the newest revision when it comes back", async () => {
    connection().open();
    const subscribed = subscription(7);
    socket.subscribe(subscribed);
    await breakAndComeBack();
    expect(subscribed.onResume).toHaveBeenCalledTimes(1);
    expect(connection().sent).toMatchObject([{ type: "subscribe", sessionId: 1, afterRevision: 7 }]);
  });

  it("gives up a connection that answers no ping", async () => {
    connection().open();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(connection().sent.map(({ type }) => type)).toEqual(["ping"]);
    const dead = PlayedConnection.all.length;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(PlayedConnection.all.length).toBeGreaterThan(dead);
  });

  it("stays with one that does", async () => {
    connection().open();
    await vi.advanceTimersByTimeAsync(30_000);
    connection().say({ type: "pong", requestId: connection().sent[0]?.requestId });
    await vi.advanceTimersByTimeAsync(20_000);
    expect([PlayedConnection.all.length, socket.state.value]).toEqual([1, "open"]);
  });

  it("says how it stands", async () => {
    expect(socket.state.value).toBe("connecting");
    connection().open();
    expect(socket.state.value).toBe("open");
    connection().close();
    expect(socket.state.value).toBe("lost");
  });

  it("gives events and unanswered errors to every listener until it leaves", () => {
    connection().open();
    const heard: string[] = [];
    const leave = socket.onFrame((frame) => heard.push(frame.type));
    connection().say({ type: "run_start", sessionId: 1, runId: 1 });
    connection().say({ type: "error", sessionId: 1, code: "internal", message: "oh" });
    leave();
    connection().say({ type: "run_start", sessionId: 1, runId: 2 });
    expect(heard).toEqual(["run_start", "error"]);
  });

  it("tells the listeners of a subscription that was refused", async () => {
    connection().open();
    const heard: unknown[] = [];
    socket.onFrame((frame) => heard.push(frame));
    socket.subscribe(subscription());
    const requestId = connection().sent[0]?.requestId;
    connection().say({ type: "error", requestId, code: "not_found", message: "There is no session 1" });
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual([{ type: "error", sessionId: 1, code: "not_found", message: "There is no session 1" }]);
  });

  it("unsubscribes when nobody wants the session any more", () => {
    connection().open();
    const leaveOne = socket.subscribe(subscription());
    const leaveOther = socket.subscribe(subscription());
    leaveOne();
    leaveOther();
    expect(connection().sent.map(({ type }) => type)).toEqual(["subscribe", "subscribe", "unsubscribe"]);
  });
});
