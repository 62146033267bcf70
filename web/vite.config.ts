// Builds the page into the Python package, which serves it; vitest reads the same file.
import { fileURLToPath } from "node:url";
import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vitest/config";

const inThisFolder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [vue()],
  resolve: { alias: { "@": inThisFolder("./src") } },
  define: {
    // Leaves out of the bundle what we do not use of vue-i18n.
    __VUE_I18N_LEGACY_API__: "false",
    __VUE_I18N_FULL_INSTALL__: "false",
    __INTLIFY_PROD_DEVTOOLS__: "false",
  },
  build: {
    outDir: inThisFolder("../src/netaclaw/static"),
    emptyOutDir: true,
    license: { fileName: "licenses.md" },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  test: {
    environment: "jsdom",
    restoreMocks: true,
    server: { deps: { inline: ["element-plus"] } },
  },
});
