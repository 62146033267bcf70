// English texts of the system settings.
const settings = {
  lead: "Changes take effect at once.",
  auxiliary: "Default auxiliary model",
  auxiliaryHelp: "Writes the summaries of every agent that chooses no other. Only channels ticked as auxiliary are offered.",
  noChannel: "None",
  window: "window {tokens}",
  isMissing: "missing",
  isDisabled: "switched off",
  isUnticked: "not auxiliary",
  auxiliaryNone: "Without an auxiliary model compaction fails, and a conversation ends where its window is full. Choose a channel.",
  auxiliaryMissing: "The channel set here no longer exists, so compaction fails. Choose another.",
  auxiliaryDisabled: "Channel “{name}” is switched off, so compaction fails. Switch it on, or choose another.",
  auxiliaryUnticked: "Channel “{name}” is not ticked as auxiliary, so compaction fails. Tick it, or choose another.",
  nothingToChoose: "No channel may write summaries yet: tick one as auxiliary.",
  auxiliaryOffline: "The offline model only picks sentences out of the conversation. A real model writes better summaries.",
  manageChannels: "Model channels",
  about: "About",
  version: "Version",
  documentation: "Documentation",
  documentationText: "README.md and the folder docs/ of the source: how compaction works, the protocol, running a server.",
  interface: "Interface",
  interfaceLink: "OpenAPI description of the HTTP interface and the frames",
  server: "Server",
  serverText: "Address, port and data folder are given at the start: netaclaw serve --help",
};

export default settings;
