// The one connection to the server: commands with their answers, events of the subscribed sessions, and coming back after a break.
import { readonly, shallowRef, type Ref } from "vue";

import { ApiError } from "./http";
import type { Command, ServerFrame } from "@/protocol/types";

export type ConnectionState = "connecting" | "open" | "lost";

export interface Subscription {
  sessionId: number;
  /** The newest revision that the page holds, undefined for none: then a snapshot comes. */
  revision: () => number | undefined;
  /** The connection is back: the reply in flight comes anew. */
  onResume: () => void;
}

export interface Socket {
  state: Readonly<Ref<ConnectionState>>;
  /** Send a command and return the `result` of its acknowledgement. Throws ApiError. `requestId` makes a repeated `chat` harmless. */
  send: (command: Command, requestId?: string) => Promise<Record<string, unknown>>;
  /** Hear of a session until the returned function is called. */
  subscribe: (subscription: Subscription) => () => void;
  /** Hear every frame that answers no command, until the returned function is called. */
  onFrame: (listener: (frame: ServerFrame) => void) => () => void;
  close: () => void;
}

interface Pending {
  text: string;
  /** Whether it may be sent again after a break: the server carries it out once. */
  isRepeatable: boolean;
  resolve: (result: Record<string, unknown>) => void;
  reject: (error: ApiError) => void;
}

const FIRST_DELAY_MS = 300;
const LONGEST_DELAY_MS = 5_000;
const HEARTBEAT_MS = 30_000;
const ANSWER_WITHIN_MS = 10_000;
const REPEATABLE = ["chat", "retry"];

/** Connect to `url` and stay connected until `close`. */
export function openSocket(url: string): Socket {
  const state = shallowRef<ConnectionState>("connecting");
  const pending = new Map<string, Pending>();
  const subscriptions = new Set<Subscription>();
  const listeners = new Set<(frame: ServerFrame) => void>();
  let connection: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let isClosed = false;

  function connect() {
    clearTimeout(timer);
    const opened = new WebSocket(url);
    connection = opened;
    opened.addEventListener("open", () => opened === connection && resume());
    opened.addEventListener("message", (event) => opened === connection && hear(String(event.data)));
    opened.addEventListener("close", () => opened === connection && lose());
  }

  function resume() {
    failures = 0;
    state.value = "open";
    for (const waiting of pending.values()) connection?.send(waiting.text);
    for (const subscription of subscriptions) {
      subscription.onResume();
      askFor(subscription);
    }
  }

  function lose() {
    if (isClosed) return;
    state.value = "lost";
    for (const [id, waiting] of pending) {
      if (waiting.isRepeatable) continue;
      pending.delete(id);
      waiting.reject(notConnected());
    }
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 1.7 ** failures) * (0.7 + 0.6 * Math.random());
    failures += 1;
    timer = setTimeout(connect, delay);
  }

  function hear(text: string) {
    const frame = JSON.parse(text) as ServerFrame;
    const requestId = "requestId" in frame ? frame.requestId : undefined;
    const waiting = requestId ? pending.get(requestId) : undefined;
    if (waiting && requestId) pending.delete(requestId);
    if (frame.type === "ack") waiting?.resolve(frame.result ?? {});
    else if (frame.type === "pong") waiting?.resolve({});
    else if (frame.type === "error" && waiting) waiting.reject(new ApiError(frame.code, frame.message));
    else for (const listener of listeners) listener(frame);
  }

  function send(command: Command, requestId: string = newRequestId()): Promise<Record<string, unknown>> {
    const isRepeatable = REPEATABLE.includes(command.type);
    if (state.value !== "open" && !isRepeatable) return Promise.reject(notConnected());
    return new Promise((resolve, reject) => {
      const text = JSON.stringify({ ...command, requestId });
      pending.set(requestId, { text, isRepeatable, resolve, reject });
      if (state.value === "open") connection?.send(text);
    });
  }

  function askFor({ sessionId, revision }: Subscription) {
    const afterRevision = revision();
    const command: Command = { type: "subscribe", sessionId, ...(afterRevision === undefined ? {} : { afterRevision }) };
    send(command).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code === "unreachable") return; // the next connection asks again
      for (const listener of listeners) listener({ type: "error", sessionId, code: error.code, message: error.message });
    });
  }

  function subscribe(subscription: Subscription) {
    subscriptions.add(subscription);
    if (state.value === "open") askFor(subscription);
    return () => {
      subscriptions.delete(subscription);
      const isWanted = [...subscriptions].some(({ sessionId }) => sessionId === subscription.sessionId);
      if (state.value === "open" && !isWanted) send({ type: "unsubscribe", sessionId: subscription.sessionId }).catch(() => undefined);
    };
  }

  function onFrame(listener: (frame: ServerFrame) => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }

  /** A connection that died in a sleep looks open for minutes: ask, and give it up where nothing comes back. */
  function checkAlive() {
    const asked = connection;
    if (state.value !== "open" || !asked) return;
    const timeout = setTimeout(() => {
      if (asked !== connection) return;
      connection = undefined;
      asked.close();
      lose();
    }, ANSWER_WITHIN_MS);
    send({ type: "ping" }).then(
      () => clearTimeout(timeout),
      () => clearTimeout(timeout),
    );
  }

  function becameVisible() {
    if (document.visibilityState !== "visible") return;
    connectNow();
    checkAlive();
  }

  function connectNow() {
    if (state.value === "lost" && document.visibilityState === "visible" && connection?.readyState !== WebSocket.CONNECTING) connect();
  }

  function close() {
    isClosed = true;
    clearTimeout(timer);
    window.removeEventListener("online", connectNow);
    clearInterval(heartbeat);
    document.removeEventListener("visibilitychange", becameVisible);
    connection?.close();
  }

  window.addEventListener("online", connectNow);
  document.addEventListener("visibilitychange", becameVisible);
  const heartbeat = setInterval(checkAlive, HEARTBEAT_MS);
  connect();
  return { state: readonly(state), send, subscribe, onFrame, close };
}

let shared: Socket | undefined;

/** Return the page's one socket, opened by the first who asks. */
export function useSocket(): Socket {
  shared ??= openSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`);
  return shared;
}

/** Return an id that no other command has; `crypto.randomUUID` is absent on plain HTTP. */
export function newRequestId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("-");
}

function notConnected(): ApiError {
  return new ApiError("unreachable", "not connected");
}
