// 中文文案，每个部分一个文件。
import agents from "./agents";
import app from "./app";
import channels from "./channels";
import chat from "./chat";
import composer from "./composer";
import context from "./context";
import preferences from "./preferences";
import sessions from "./sessions";
import settings from "./settings";
import type { Messages } from "../en";

const zh: Messages = { agents, app, channels, chat, composer, context, preferences, sessions, settings };

export default zh;
