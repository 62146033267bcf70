// What the page says of who answers, by the agents and channels that the server has. fetch is the network's edge.
import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import NewConversation from "./NewConversation.vue";
import OfflineNotice from "./OfflineNotice.vue";
import { openPage, type Page } from "./testServer";

let page: Page;

const offline = { id: 1, name: "Offline", vendor: "offline", isEnabled: true, isAuxiliary: true };
const real = { id: 2, name: "Mine", vendor: "openai", isEnabled: true, isAuxiliary: true };
const tools = ["list_files", "read_file", "search_files"];
const agent = (over: object = {}) => ({ id: 1, name: "NetaClaw", channelId: 1, auxiliaryMode: "inherit", tools, workspace: "/w", ...over });

function serve(agents: object[], channels: object[], auxiliary: string | null) {
  const items = auxiliary === null ? [] : [{ key: "default_auxiliary_channel_id", value: auxiliary }];
  const bodies: Record<string, unknown> = {
    "/api/agents": { agents },
    "/api/channels": { channels },
    "/api/dictionary": { types: [{ key: "netaclaw", items }] },
    "/api/sessions/1": { id: 1, agentId: 1 },
    "/api/sessions/2": { id: 2, agentId: 1 },
  };
  vi.stubGlobal("fetch", (path: string) => Promise.resolve(new Response(JSON.stringify(bodies[path]))));
}

beforeEach(() => sessionStorage.clear());
afterEach(() => page.wrapper.unmount());

const notice = () => page.named("offline-notice");
const links = () => page.wrapper.findAll("a").map((link) => link.attributes("href"));

describe("the notice of the offline model", () => {
  it("says that it is no language model, and the way to a real one, in both languages", async () => {
    serve([agent()], [offline], "1");
    page = await openPage(OfflineNotice, {}, "zh");
    expect(notice().text()).toContain("离线模型不是语言模型");
    page.wrapper.unmount();
    page = await openPage(OfflineNotice);
    expect(notice().text()).toContain("The offline model is no language model");
    expect(links()).toEqual(["/channels"]);
  });

  it("leads to the agent where a real model is connected already", async () => {
    serve([agent()], [offline, real], "1");
    page = await openPage(OfflineNotice);
    expect(links()).toEqual(["/agents/1"]);
  });

  it("stays away from a session where it was dismissed, and comes back in the next", async () => {
    serve([agent()], [offline], "1");
    page = await openPage(OfflineNotice);
    await page.wrapper.find("button").trigger("click");
    expect(notice().exists()).toBe(false);
    page.chat.open(2, "compacted");
    await flushPromises();
    expect(notice().exists()).toBe(true);
  });

  it("says nothing where a real model answers and another writes the summaries", async () => {
    serve([agent({ channelId: 2 })], [offline, real], "2");
    page = await openPage(OfflineNotice);
    expect(page.wrapper.text()).toBe("");
  });

  it.each([
    ["1", "still written by the offline model"],
    [null, "cannot be compacted"],
  ])("suggests a model for the summaries where the default is %s", async (auxiliary, words) => {
    serve([agent({ channelId: 2 })], [offline, real], auxiliary);
    page = await openPage(OfflineNotice);
    expect(page.named("auxiliary-notice").text()).toContain(words);
    expect(links()).toEqual(["/settings"]);
  });

  it("suggests none to an agent that names its own", async () => {
    serve([agent({ channelId: 2, auxiliaryMode: "same" })], [offline, real], "1");
    page = await openPage(OfflineNotice);
    expect(page.wrapper.text()).toBe("");
  });
});

describe("a new conversation", () => {
  const Both = { components: { NewConversation, OfflineNotice }, template: "<div><OfflineNotice /><NewConversation /></div>" };
  const examples = () => page.wrapper.findAll("button").map((button) => button.text());

  it("offers lines that the offline model carries out", async () => {
    serve([agent()], [offline], "1");
    page = await openPage(Both, null);
    expect(examples()).toEqual(["list_files .", "search_files threshold"]);
    await page.wrapper.find("button").trigger("click");
    expect(page.wrapper.findComponent(NewConversation).emitted("example")).toEqual([["list_files ."]]);
  });

  it("offers questions for a language model", async () => {
    serve([agent({ channelId: 2 })], [offline, real], "2");
    page = await openPage(Both, null);
    expect(examples()[0]).toBe("Look at the files here and tell me what this project is about");
  });

  it("offers nothing that needs a folder to an agent without one, and says where to choose it", async () => {
    serve([agent({ workspace: null })], [offline], "1");
    page = await openPage(Both, null);
    expect(examples()).toEqual(["What can you do?"]);
    expect(links()).toContain("/agents/1");
  });
});
