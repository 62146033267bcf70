// Beyond the usual rules: features stay apart, and only src/api reaches the network (STYLE: front end).
import pluginVue from "eslint-plugin-vue";
import tseslint from "typescript-eslint";

const networkGlobals = ["fetch", "XMLHttpRequest", "WebSocket", "EventSource"];

const apart = (outside) => ({
  group: ["@/features/*", outside],
  message: "Features do not import each other; App.vue puts them together.",
});

export default tseslint.config(
  { ignores: ["node_modules", "**/*.gen.ts"] },
  tseslint.configs.strict,
  pluginVue.configs["flat/essential"],
  {
    files: ["**/*.vue"],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      "vue/block-lang": ["error", { script: { lang: "ts" } }],
      "vue/block-order": ["error", { order: ["script", "template", "style"] }],
      "vue/component-api-style": ["error", ["script-setup"]],
      "vue/define-props-declaration": ["error", "type-based"],
      "vue/define-emits-declaration": ["error", "type-based"],
      "vue/no-unused-refs": "error",
      "vue/no-v-html": "error",
    },
  },
  {
    files: ["src/**/*.{ts,vue}"],
    rules: {
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-lines": ["error", 250],
      "no-console": "error",
    },
  },
  {
    files: ["src/**/*.{ts,vue}"],
    ignores: ["src/api/**"],
    rules: {
      "no-restricted-globals": ["error", ...networkGlobals.map((name) => ({ name, message: "Only src/api reaches the network." }))],
    },
  },
  {
    files: ["src/features/*/*.{ts,vue}"],
    rules: { "no-restricted-imports": ["error", { patterns: [apart("../*")] }] },
  },
  {
    files: ["src/features/*/*/**/*.{ts,vue}"],
    rules: { "no-restricted-imports": ["error", { patterns: [apart("../../*")] }] },
  },
);
