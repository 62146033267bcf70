// Starts the page: one store registry, one translator, one router, one root component.
import { createPinia } from "pinia";
import { createApp } from "vue";

import App from "./App.vue";
import { createTranslator } from "@/i18n/translator";
import { createPageRouter, loadPages } from "./router";
import "./page.css";

createApp(App).use(createPinia()).use(createTranslator()).use(createPageRouter()).mount("#app");
setTimeout(loadPages, 3_000);
