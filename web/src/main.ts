// Starts the page: one store registry, one translator, one root component.
import { createPinia } from "pinia";
import { createApp } from "vue";

import App from "./App.vue";
import { createTranslator } from "@/i18n/translator";
import "./page.css";

createApp(App).use(createPinia()).use(createTranslator()).mount("#app");
