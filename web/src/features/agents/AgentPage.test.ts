// The pages of the agents against a played server.
import { afterEach, describe, expect, it, vi } from "vitest";

import AgentPage from "./AgentPage.vue";
import AgentsPage from "./AgentsPage.vue";
import { brokenRules, openPage, type OpenedPage } from "@/forms/openPage";
import { agent, channel, offline, playServer } from "@/forms/playedServer";

let opened: OpenedPage;

afterEach(() => {
  opened.page.unmount();
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

async function open(path = "/agents/1?tab=model", language: "en" | "zh" = "en") {
  opened = await openPage(path, { agents: AgentsPage, agent: AgentPage }, language);
  return opened;
}

const slider = () => opened.find("threshold-slider")?.querySelector("[role=slider]") as HTMLElement;
const press = async (key: string) => {
  slider().dispatchEvent(new KeyboardEvent("keydown", { code: key, key, bubbles: true }));
  await vi.waitFor(() => undefined);
};

describe("the list of agents", () => {
  it("shows model and tools, and deletes after a question", async () => {
    const server = playServer();
    const { find, click } = await open("/agents");
    expect(find("agent-item")?.textContent).toContain("Offline · 2 tools");
    await click("agent-delete");
    expect(find("confirm-dialog")?.textContent).toContain("Its conversations stay");
    await click("confirm-ok");
    expect(server.requests).toEqual([{ method: "DELETE", path: "/api/agents/1", body: undefined }]);
    expect(find("agent-item")).toBeNull();
  });

  it("says where the channel of an agent is gone", async () => {
    playServer({ channels: [] });
    const { find } = await open("/agents");
    expect(find("agent-item")?.textContent).toContain("No model channel");
  });
});

describe("the threshold of an agent", () => {
  it("shows the inherited value and what it is in tokens", async () => {
    playServer();
    const { find } = await open();
    expect(slider().getAttribute("aria-valuenow")).toBe("70");
    expect(find("threshold-tokens")?.textContent).toBe("= 89,600 of 128,000 tokens");
    expect(find("threshold-reset")).toBeNull();
  });

  it("moves in steps of five and is saved as a number", async () => {
    const server = playServer();
    const { find, click } = await open();
    await press("ArrowRight");
    expect(find("threshold-tokens")?.textContent).toBe("= 96,000 of 128,000 tokens");
    await click("agent-save");
    expect(server.requests).toEqual([{ method: "PATCH", path: "/api/agents/1", body: { compactionThresholdPercent: 75 } }]);
    expect(find("agent-state")?.textContent).toBe("Saved");
  });

  it("goes back to the inherited value as null", async () => {
    const server = playServer({ agents: [agent({ id: 1, compactionThresholdPercent: 90 })] });
    const { click } = await open();
    await click("threshold-reset");
    await click("agent-save");
    expect(server.requests[0]?.body).toEqual({ compactionThresholdPercent: null });
  });

  it("warns where the reply needs more room than it leaves", async () => {
    playServer({ channels: [channel({ id: 1, maxOutputTokens: 64_000 })], agents: [agent({ id: 1, compactionThresholdPercent: 80 })] });
    const { find } = await open();
    expect(find("threshold-warning")?.textContent).toContain(
      "Compaction starts earlier, at 93,440 tokens, because 32,000 tokens are kept free",
    );
  });
});

describe("the protected head", () => {
  it("is saved as a number, and as null when emptied", async () => {
    const server = playServer();
    const { type, click } = await open();
    await type("protect-first", "5");
    await click("agent-save");
    await type("protect-first", "");
    await click("agent-save");
    expect(server.requests.map(({ body }) => body)).toEqual([{ compactionProtectFirstN: 5 }, { compactionProtectFirstN: null }]);
  });

  it("stays within 1 and 10", async () => {
    const server = playServer();
    const { type, click } = await open();
    await type("protect-first", "40");
    await click("agent-save");
    expect(server.requests[0]?.body).toEqual({ compactionProtectFirstN: 10 });
  });
});

describe("the auxiliary model of an agent", () => {
  it("warns where no default is set", async () => {
    playServer({ defaultAuxiliaryId: null });
    const { find } = await open();
    expect(find("auxiliary-warning")?.textContent).toContain("No default is set");
  });

  it("warns where the chosen channel may not write summaries any more", async () => {
    playServer({
      channels: [offline, channel({ id: 2, isAuxiliary: false })],
      agents: [agent({ id: 1, auxiliaryMode: "channel", auxiliaryModelChannelId: 2 })],
    });
    const { find } = await open();
    expect(find("auxiliary-warning")?.textContent).toContain("may not write summaries");
  });

  it("warns where its window is smaller than the trigger", async () => {
    playServer({ channels: [channel({ id: 1 }), channel({ id: 2, windowTokens: 32_000 })], defaultAuxiliaryId: 2 });
    const { find } = await open();
    expect(find("auxiliary-warning")?.textContent).toContain("Its window (32,000 tokens) is smaller");
  });
});

describe("the form of an agent", () => {
  it("shows a missing name at the field, in the first tab", async () => {
    const server = playServer();
    const { type, click, page, path } = await open();
    await type("agent-name", "");
    await click("agent-save");
    await vi.waitFor(() => expect(page.text()).toContain("Enter a name."));
    expect(path()).toBe("/agents/1");
    expect(server.requests).toEqual([]);
  });

  it("shows a refusal of the server and keeps what was typed", async () => {
    const server = playServer();
    const { type, click, find } = await open();
    await type("agent-workspace", "/nowhere");
    server.refusal = { status: 422, code: "bad_request", message: "The workspace /nowhere is no folder of the server" };
    await click("agent-save");
    expect(find("agent-refusal")?.textContent).toContain("is no folder of the server");
    expect((find("agent-workspace") as HTMLInputElement).value).toBe("/nowhere");
    expect(find("agent-state")?.textContent).toBe("Not saved yet");
  });

  it("makes a new agent and goes on with it", async () => {
    const server = playServer();
    const { type, click, path, find } = await open("/agents/new");
    await type("agent-name", "Ada");
    await click("agent-save");
    expect(server.requests[0]).toMatchObject({ method: "POST", body: { name: "Ada", channelId: 1, compactionThresholdPercent: null } });
    expect(path()).toBe("/agents/2");
    expect(find("agent-state")?.textContent).toBe("Saved");
  });

  it("asks before it is left with changes, and lets go without", async () => {
    playServer();
    const { type, go, path, click } = await open("/agents/1");
    await type("agent-prompt", "Be brief.");
    await go("/chat");
    expect(path()).toBe("/agents/1");
    await click("confirm-cancel");
    await click("agent-save");
    await go("/chat");
    expect(path()).toBe("/chat");
  });

  it("says that an agent does not exist any more", async () => {
    playServer();
    const { page } = await open("/agents/99");
    expect(page.text()).toContain("This agent does not exist any more.");
  });

  it.each(["en", "zh"] as const)("breaks no accessibility rule in %s", async (language) => {
    playServer();
    await open("/agents/1?tab=model", language);
    expect(await brokenRules()).toEqual([]);
  });
});
