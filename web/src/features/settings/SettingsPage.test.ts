// The page of the settings against a played server.
import { afterEach, describe, expect, it, vi } from "vitest";

import SettingsPage from "./SettingsPage.vue";
import { brokenRules, openPage, type OpenedPage } from "@/forms/openPage";
import { channel, offline, playServer, type PlayedServer } from "@/forms/playedServer";

let opened: OpenedPage;

async function open(server: Partial<PlayedServer> = {}, language: "en" | "zh" = "en") {
  const played = playServer(server);
  opened = await openPage("/settings", { settings: SettingsPage }, language);
  return played;
}

const options = () => [...document.querySelectorAll<HTMLElement>(".el-select-dropdown__item")];
const warning = () => opened.find("auxiliary-warning")?.textContent ?? null;

async function choose(label: string) {
  opened.find("default-auxiliary")?.querySelector<HTMLElement>(".el-select__wrapper")?.click();
  await vi.waitFor(() => expect(options().length).toBeGreaterThan(0));
  options()
    .find((option) => option.textContent?.includes(label))
    ?.click();
}

afterEach(() => {
  opened.page.unmount();
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

const writer = channel({ id: 2, name: "Writer", model: "gpt-4o", windowTokens: 128_000 });

describe("the default auxiliary model", () => {
  it("offers the enabled channels that are ticked as auxiliary, with model and window", async () => {
    const chatOnly = channel({ id: 3, name: "Chat only", isAuxiliary: false });
    const resting = channel({ id: 4, name: "Resting", isEnabled: false });
    await open({ channels: [offline, writer, chatOnly, resting] });
    await choose("nothing of this name");
    expect(options().map((option) => option.textContent)).toEqual(["None", "Offline · window 128,000", "Writer · gpt-4o · window 128,000"]);
  });

  it("is saved at once and says so", async () => {
    const server = await open({ channels: [offline, writer] });
    expect(opened.find("auxiliary-hint")?.textContent).toContain("A real model writes better summaries");
    await choose("Writer");
    await vi.waitFor(() => expect(opened.page.get("[role=status]").text()).toBe("Saved"));
    const path = "/api/dictionary/netaclaw/default_auxiliary_channel_id";
    expect(server.requests).toEqual([{ method: "PUT", path, body: { value: "2" } }]);
    expect(opened.find("auxiliary-hint")).toBeNull();
    expect(warning()).toBeNull();
  });

  it("may be none, and then says what that means", async () => {
    const server = await open();
    await choose("None");
    await vi.waitFor(() => expect(warning()).toContain("Without an auxiliary model compaction fails"));
    expect(server.requests.map(({ body }) => body)).toEqual([{ value: null }]);
  });

  it.each([
    ["no longer exists", "#9 · missing", 9, []],
    ["is switched off", "Writer · gpt-4o · window 128,000 · switched off", 2, [{ ...writer, isEnabled: false }]],
    ["is not ticked", "Writer · gpt-4o · window 128,000 · not auxiliary", 2, [{ ...writer, isAuxiliary: false }]],
  ])("warns when the channel that is set %s, and still shows it", async (said, shown, defaultAuxiliaryId, channels) => {
    await open({ channels, defaultAuxiliaryId });
    expect(warning()).toContain(said);
    expect(warning()).toContain("No channel may write summaries yet");
    expect(opened.find("default-auxiliary")?.textContent).toContain(shown);
  });

  it("stays as it was when the server refuses the choice", async () => {
    await open({ channels: [offline, writer], refusal: { status: 503, code: "storage_error", message: "The disk is full" } });
    await choose("Writer");
    await vi.waitFor(() => expect(opened.page.text()).toContain("The disk is full"));
    expect(opened.find("default-auxiliary")?.textContent).toContain("Offline");
    expect(opened.page.get("[role=status]").text()).toBe("");
  });
});

describe("the settings", () => {
  it("tell the version that runs", async () => {
    await open();
    expect(opened.find("version")?.textContent).toBe("NetaClaw 1.2.3");
  });

  it("can be read again when the server did not answer", async () => {
    await open();
    opened.page.unmount();
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));
    opened = await openPage("/settings", { settings: SettingsPage });
    expect(opened.page.text()).toContain("The server does not answer");
    playServer();
    await opened.page.get(".retry").trigger("click");
    await vi.waitFor(() => expect(opened.find("default-auxiliary")).not.toBeNull());
  });

  it.each(["en", "zh"] as const)("break no accessibility rule (%s)", async (language) => {
    await open({ defaultAuxiliaryId: null }, language);
    expect(await brokenRules()).toEqual([]);
  });
});
