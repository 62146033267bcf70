// The addresses of the page. Each page is loaded when it is first opened, or when there is time.
import { createRouter, createWebHistory, type RouterHistory } from "vue-router";

import ChatPage from "@/features/chat/ChatPage.vue";

const AgentsPage = () => import("@/features/agents/AgentsPage.vue");
const AgentPage = () => import("@/features/agents/AgentPage.vue");
const ChannelsPage = () => import("@/features/channels/ChannelsPage.vue");
const SettingsPage = () => import("@/features/settings/SettingsPage.vue");

/** Return the router; a session is `/chat/:id`, its full history `?view=full`. */
export function createPageRouter(history: RouterHistory = createWebHistory()) {
  return createRouter({
    history,
    routes: [
      { path: "/", redirect: "/chat" },
      { path: "/chat/:id(\\d+)?", name: "chat", component: ChatPage },
      { path: "/agents", name: "agents", component: AgentsPage },
      { path: "/agents/:id(\\d+|new)", name: "agent", component: AgentPage },
      { path: "/channels", name: "channels", component: ChannelsPage },
      { path: "/settings", name: "settings", component: SettingsPage },
      { path: "/:rest(.*)*", redirect: "/chat" },
    ],
  });
}

/** Load the other pages while the server is there: they must open when it has gone away, too. */
export function loadPages() {
  for (const load of [AgentsPage, AgentPage, ChannelsPage, SettingsPage]) load().catch(() => undefined);
}
