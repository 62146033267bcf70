// What the form knows of each vendor: its own address, whether it wants a key, and which models are its own.
import type { KnownModel, NewChannel } from "@/protocol/types";
import type { TextKey } from "@/i18n/translator";

export type Vendor = NewChannel["vendor"];

interface VendorFacts {
  label: TextKey;
  /** First choice for a channel's name. */
  name: string;
  /** Where requests go if no address is given; null: one must be given. */
  baseUrl: string | null;
  needsKey: boolean;
  hasModel: (model: string) => boolean;
}

const isOpenAi = (model: string) => /^(gpt-(?!oss)|o\d)/.test(model);

const facts: Record<Vendor, VendorFacts> = {
  openai: { label: "channels.vendorOpenAi", name: "OpenAI", baseUrl: "https://api.openai.com/v1", needsKey: true, hasModel: isOpenAi },
  openai_responses: {
    label: "channels.vendorOpenAiResponses",
    name: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    needsKey: true,
    hasModel: isOpenAi,
  },
  anthropic: {
    label: "channels.vendorAnthropic",
    name: "Anthropic",
    baseUrl: "https://api.anthropic.com",
    needsKey: true,
    hasModel: (model) => model.startsWith("claude"),
  },
  deepseek: {
    label: "channels.vendorDeepSeek",
    name: "DeepSeek",
    baseUrl: "https://api.deepseek.com",
    needsKey: true,
    hasModel: (model) => model.startsWith("deepseek"),
  },
  openai_compatible: { label: "channels.vendorCompatible", name: "", baseUrl: null, needsKey: false, hasModel: () => true },
  offline: { label: "channels.vendorOffline", name: "Offline", baseUrl: null, needsKey: false, hasModel: (model) => model === "offline" },
};

/** Vendors that can be chosen for a new channel; a second offline one would do nothing new. */
export function offeredVendors(hasOffline: boolean): Vendor[] {
  return (Object.keys(facts) as Vendor[]).filter((vendor) => vendor !== "offline" || !hasOffline);
}

/** Return what is known of a vendor; one of a newer server counts as compatible. */
export function vendorFacts(vendor: string): VendorFacts {
  return facts[vendor as Vendor] ?? facts.openai_compatible;
}

/** Addresses that people often connect, as suggestions for a compatible server. */
export const commonBaseUrls = [
  "http://127.0.0.1:11434/v1",
  "http://127.0.0.1:1234/v1",
  "http://127.0.0.1:8000/v1",
  "http://127.0.0.1:8080/v1",
  "https://dashscope.aliyuncs.com/compatible-mode/v1",
  "https://api.moonshot.cn/v1",
  "https://open.bigmodel.cn/api/paas/v4",
  "https://api.siliconflow.cn/v1",
  "https://openrouter.ai/api/v1",
];

/** Return the limits of a model, also under a dated or prefixed name, as the server finds them. */
export function knownModel(name: string, models: readonly KnownModel[]): KnownModel | undefined {
  const wanted =
    name
      .trim()
      .toLowerCase()
      .split("/")
      .at(-1)
      ?.replace(/:latest$/, "") ?? "";
  const exact = models.find((model) => model.name === wanted);
  if (exact) return exact;
  return models
    .filter((model) => wanted.startsWith(model.name) && isVersion(wanted.slice(model.name.length)))
    .sort((one, other) => other.name.length - one.name.length)[0];
}

function isVersion(rest: string): boolean {
  const tag = rest.slice(1).replaceAll("-", "");
  return /^[-@:]/.test(rest) && (/^\d{4,}$/.test(tag) || ["latest", "preview", "instruct", "chat", "fp8"].includes(tag));
}
