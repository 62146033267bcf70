// English texts. Their shape is the contract: `zh.ts` must have the same keys.

const en = {
  app: {
    title: "NetaClaw",
    tagline: "Agent conversations that never end at the context window",
  },
  preferences: {
    label: "Preferences",
    useLight: "Use the light theme",
    useDark: "Use the dark theme",
  },
  welcome: {
    what:
      "NetaClaw compacts long conversations of LLM agents: old tool output is cut, the middle is summarised, " +
      "the beginning and the newest messages stay word for word.",
    status: "The server comes with the next version.",
    statusDetail:
      "This version brings the compaction engine as a Python library and a command. Chat, agents and settings will open on this page.",
    tryIt: "Try it on a transcript of yours",
    compact: "Writes a shorter, valid transcript that the conversation can go on with.",
    inspect: "Shows where the tokens go and what each phase would do. Changes nothing.",
    copy: "Copy",
    copied: "Copied",
    copyCommand: "Copy the command: {command}",
  },
};

export default en;

type Texts<T> = { [Key in keyof T]: T[Key] extends string ? string : Texts<T[Key]> };

export type Messages = Texts<typeof en>;
