// The addresses of the page. Each page is loaded when it is first opened.
import { createRouter, createWebHistory, type RouterHistory } from "vue-router";

import ChatPage from "@/features/chat/ChatPage.vue";

/** Return the router; a session is `/chat/:id`, its full history `?view=full`. */
export function createPageRouter(history: RouterHistory = createWebHistory()) {
  return createRouter({
    history,
    routes: [
      { path: "/", redirect: "/chat" },
      { path: "/chat/:id(\\d+)?", name: "chat", component: ChatPage },
      { path: "/agents", name: "agents", component: () => import("@/features/agents/AgentsPage.vue") },
      { path: "/agents/:id(\\d+|new)", name: "agent", component: () => import("@/features/agents/AgentPage.vue") },
      { path: "/channels", name: "channels", component: () => import("@/features/channels/ChannelsPage.vue") },
      { path: "/settings", name: "settings", component: () => import("@/features/settings/SettingsPage.vue") },
      { path: "/:rest(.*)*", redirect: "/chat" },
    ],
  });
}
