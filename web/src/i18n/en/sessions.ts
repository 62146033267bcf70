// English texts of the list of conversations.
const sessions = {
  label: "Conversations",
  new: "New conversation",
  search: "Search titles",
  untitled: "New conversation",
  none: "No conversations yet. Write a message to begin one.",
  nothingFound: "No title contains “{words}”.",
  more: "Show more",
  today: "Today",
  yesterday: "Yesterday",
  lastDays: "Last 7 days",
  earlier: "Earlier",
  running: "The agent is answering",
  compacting: "The context is being compacted",
  fullHistory: "Full history: {title}",
  showFull: "Show the full history",
  showCompacted: "Show the compacted view",
  menuOf: "More for: {title}",
  rename: "Rename",
  newTitle: "New title",
  deleteTitle: "Delete this conversation?",
  deleteText: "“{title}” is deleted with all its messages and summaries. What runs in it is stopped. This cannot be undone.",
  deleted: "Deleted: {title}",
};

export default sessions;
