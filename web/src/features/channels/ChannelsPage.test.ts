// The page of the channels against a played server.
import { afterEach, describe, expect, it, vi } from "vitest";

import ChannelsPage from "./ChannelsPage.vue";
import { brokenRules, openPage, type OpenedPage } from "@/forms/openPage";
import { agent, channel, offline, playServer } from "@/forms/playedServer";

let opened: OpenedPage;

afterEach(() => {
  opened.page.unmount();
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

async function open(language: "en" | "zh" = "en") {
  opened = await openPage("/channels", { channels: ChannelsPage }, language);
  return opened;
}

async function typeChannel() {
  await opened.click("add-channel");
  await opened.type("channel-name", "Mine");
  await opened.type("channel-key", "sk-1");
  await opened.type("channel-model", "gpt-4o");
}

describe("the list of channels", () => {
  it("says that the offline model is no language model and invites to add a real one", async () => {
    playServer();
    const { find, page } = await open();
    expect(find("channel-item")?.textContent).toContain("No language model");
    expect(page.text()).toContain("So far there is only the offline model");
  });

  it("offers to try again where the server did not answer", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));
    const { page } = await open();
    expect(page.text()).toContain("The server does not answer");
    playServer();
    await page.get(".retry").trigger("click");
    await vi.waitFor(() => expect(opened.find("channel-item")).not.toBeNull());
  });

  it("lists before a deletion who uses the channel and what happens", async () => {
    const server = playServer({
      channels: [channel({ id: 2 })],
      agents: [agent({ id: 1, name: "Ada", channelId: 2 })],
      defaultAuxiliaryId: 2,
    });
    const { click, find } = await open();
    await click("channel-delete");
    expect(find("channel-loss")?.textContent).toContain("Agent Ada answers with it and cannot answer");
    expect(find("channel-loss")?.textContent).toContain("It is the default for summaries; compactions of agent Ada fail");
    await click("confirm-ok");
    expect(server.requests).toEqual([{ method: "DELETE", path: "/api/channels/2", body: undefined }]);
    expect(find("channel-item")).toBeNull();
  });
});

describe("the form of a channel", () => {
  it("shows what is missing at the fields and sends nothing", async () => {
    const server = playServer();
    const { click, find } = await open();
    await click("add-channel");
    await click("channel-save");
    await vi.waitFor(() => expect(find("channel-form")?.textContent).toContain("Enter the API key of this vendor."));
    expect(find("channel-key")?.getAttribute("aria-invalid")).toBe("true");
    expect(server.requests).toEqual([]);
  });

  it("shows what is missing in Chinese, too", async () => {
    playServer();
    const { click, find } = await open("zh");
    await click("add-channel");
    await click("channel-save");
    await vi.waitFor(() => expect(find("channel-form")?.textContent).toContain("请填写模型名称。"));
  });

  it("shows a refusal of the server and keeps what was typed", async () => {
    const server = playServer();
    const { click, find } = await open();
    await typeChannel();
    server.refusal = { status: 422, code: "bad_request", message: "`name` is taken" };
    await click("channel-save");
    expect(find("channel-refusal")?.textContent).toBe("`name` is taken");
    expect((find("channel-key") as HTMLInputElement).value).toBe("sk-1");
    await click("channel-save");
    expect(server.channels.map(({ name }) => name)).toEqual(["Offline", "Mine"]);
  });

  it("saves what is typed, tests it, and offers to use it", async () => {
    const server = playServer();
    const { click, find, all } = await open();
    await typeChannel();
    await click("is-auxiliary");
    (find("channel-drawer")?.querySelector("[data-testid=channel-test]") as HTMLElement).click();
    await vi.waitFor(() => expect(all("channel-test-result").map(({ dataset }) => dataset.ok)).toContain("true"));
    expect(server.requests[0]?.body).toMatchObject({
      name: "Mine",
      vendor: "openai",
      apiKey: "sk-1",
      windowTokens: null,
      isAuxiliary: true,
    });
    await click("use-for-agent");
    await click("use-for-summaries");
    expect(server.requests.slice(2)).toEqual([
      { method: "PATCH", path: "/api/agents/1", body: { channelId: 2 } },
      { method: "PUT", path: "/api/dictionary/netaclaw/default_auxiliary_channel_id", body: { value: "2" } },
    ]);
  });

  it("says why a test failed", async () => {
    playServer({ test: { ok: false, message: "The key is wrong", latencyMs: 90 } });
    const { click, find } = await open();
    await click("channel-test");
    expect(find("channel-test-result")?.dataset.ok).toBe("false");
    expect(find("channel-test-result")?.textContent).toContain("The key is wrong");
  });

  it("sends only what has changed", async () => {
    const server = playServer({ channels: [channel({ id: 2, hasKey: true })] });
    const { click, type } = await open();
    await click("channel-edit");
    await type("channel-window", "32000");
    await click("channel-save");
    expect(server.requests).toEqual([{ method: "PATCH", path: "/api/channels/2", body: { windowTokens: 32_000 } }]);
  });

  it("removes a stored key only when told so", async () => {
    const server = playServer({ channels: [channel({ id: 2, hasKey: true })] });
    const { click } = await open();
    await click("channel-edit");
    await click("channel-remove-key");
    await click("channel-save");
    expect(server.requests[0]?.body).toEqual({ apiKey: null });
    expect(server.channels[0]?.hasKey).toBe(false);
  });

  it("lets the limits of an old model go with it", async () => {
    const server = playServer({ channels: [channel({ id: 2, windowTokens: 32_000 })] });
    const { click, type } = await open();
    await click("channel-edit");
    await type("channel-model", "gpt-4o");
    await click("channel-save");
    expect(server.requests[0]?.body).toEqual({ model: "gpt-4o", windowTokens: null, maxOutputTokens: null });
  });

  it("lists who is affected when it may not write summaries any more", async () => {
    playServer({
      agents: [agent({ id: 1, name: "Ada", auxiliaryMode: "channel", auxiliaryModelChannelId: 2 })],
      channels: [channel({ id: 2 })],
    });
    const { click, find } = await open();
    await click("channel-edit");
    expect(find("channel-loss")).toBeNull();
    await click("is-auxiliary");
    expect(find("channel-loss")?.textContent).toContain("Agent Ada has its summaries written by it");
  });

  it("warns of an unknown window", async () => {
    playServer();
    const { click, type } = await open();
    await click("add-channel");
    await type("channel-model", "my-own-model");
    expect(document.body.textContent).toContain("The window of this model is not known");
    await type("channel-model", "gpt-4o");
    expect(document.body.textContent).not.toContain("The window of this model is not known");
  });

  it("asks before it is left with something typed", async () => {
    playServer();
    const { go, path, click } = await open();
    await typeChannel();
    await go("/agents");
    expect(path()).toBe("/channels");
    await click("confirm-ok");
    await vi.waitFor(() => expect(path()).toBe("/agents"));
  });

  it.each(["en", "zh"] as const)("breaks no accessibility rule in %s", async (language) => {
    playServer({ channels: [offline, channel({ id: 2, isEnabled: false })] });
    const { click } = await open(language);
    expect(await brokenRules()).toEqual([]);
    await click("add-channel");
    await click("channel-save");
    expect(await brokenRules()).toEqual([]);
  });
});
