// English texts of the frame around every page.
const app = {
  title: "NetaClaw",
  agents: "Agents",
  channels: "Model channels",
  settings: "Settings",
  openMenu: "Open the menu",
  closeMenu: "Close the menu",
  skipToContent: "Skip to the content",
  column: "Conversations and pages",
  navigation: "Pages",
  save: "Save",
  saved: "Saved",
  cancel: "Cancel",
  close: "Close",
  delete: "Delete",
  retry: "Try again",
  unreachable: "The server does not answer. Check that NetaClaw runs; nothing is lost.",
};

export default app;
