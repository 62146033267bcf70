// English texts, one file a part of the page. Their shape is the contract: `zh` must have the same keys.
import agents from "./agents";
import app from "./app";
import channels from "./channels";
import chat from "./chat";
import composer from "./composer";
import context from "./context";
import preferences from "./preferences";
import sessions from "./sessions";
import settings from "./settings";

const en = { agents, app, channels, chat, composer, context, preferences, sessions, settings };

export default en;

type Texts<T> = { [Key in keyof T]: T[Key] extends string ? string : Texts<T[Key]> };

/** The texts of one language. */
export type Messages = Texts<typeof en>;
