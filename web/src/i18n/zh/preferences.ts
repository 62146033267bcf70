// 语言与主题的中文文案。
import type { Messages } from "../en";

const preferences: Messages["preferences"] = {
  title: "外观",
  hint: "保存在此浏览器中。",
  language: "语言",
  theme: "主题",
  light: "浅色",
  dark: "深色",
  system: "跟随系统",
  useLight: "切换到浅色主题",
  useDark: "切换到深色主题",
};

export default preferences;
